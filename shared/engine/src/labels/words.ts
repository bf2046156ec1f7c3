import type {
  Act,
  Capability,
  Confidentiality,
  Decision,
  Escalation,
  Exposure,
  Level,
  Reversibility,
  Taint,
  Verdict,
} from '@plimsoll/contracts'

/**
 * The vocabularies that the engine counts in. Contracts are types only to it (docs/decisions/20261121-repository.md), so that it runs without zod and node:*;
 * words.test.ts holds each list against the contracts' own, order included.
 */
export const EXPOSURES = [
  'none',
  'public',
  'internal',
  'sensitive',
  'credentials',
] as const satisfies Exposure[]
export const ESCALATIONS = ['read_only', 'file_write', 'code_exec', 'network'] as const satisfies Escalation[]
export const REVERSIBILITIES = ['reversible', 'partial', 'irreversible'] as const satisfies Reversibility[]
export const LEVELS = ['safe', 'mild', 'elevated', 'critical', 'violated'] as const satisfies Level[]
export const TAINTS = ['none', 'data', 'instructions'] as const satisfies Taint[]
export const VERDICTS: readonly Verdict[] = ['allow', 'warn', 'confirm', 'block']
export const CAPABILITIES: readonly Capability[] = ['read', 'write', 'execute', 'network']
export const CONFIDENTIALITIES: readonly Confidentiality[] = [
  'public',
  'internal',
  'sensitive',
  'credentials',
]
export const ACTS: readonly Act[] = ['delete', 'overwrite', 'pay', 'publish', 'send', 'grant', 'credential']

export const DECISION_SCHEMA: Decision['schema'] = 1
