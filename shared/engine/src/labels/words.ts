import type {
  Act,
  CODE_WITHIN as CodeWithin,
  Capability,
  Confidentiality,
  Decision,
  EffectAct,
  Escalation,
  Exposure,
  Level,
  ObjectKind,
  Reach,
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

export const EFFECT_ACTS: readonly EffectAct[] = [
  'read',
  'create',
  'change',
  'delete',
  'send',
  'request',
  'pay',
  'grant',
  'publish',
  'deploy',
  'restore',
  'stop',
  'run',
  'persist',
  'control',
]
export const OBJECT_KINDS: readonly ObjectKind[] = [
  'path',
  'host',
  'table',
  'process',
  'container',
  'volume',
  'resource',
  'branch',
  'account',
  'person',
  'record',
  'setting',
]
export const REACHES: readonly Reach[] = ['own', 'project', 'shared', 'live', 'control', 'disposable']
export const ACT_OF_EFFECT: Readonly<Record<EffectAct, Act | undefined>> = {
  read: undefined,
  create: undefined,
  change: 'overwrite',
  delete: 'delete',
  send: 'send',
  request: undefined,
  pay: 'pay',
  grant: 'grant',
  publish: 'publish',
  deploy: 'publish',
  restore: 'overwrite',
  stop: 'delete',
  run: undefined,
  persist: 'grant',
  control: 'grant',
}

export const DECISION_SCHEMA: Decision['schema'] = 1
/** The signal `code` of source code that reaches nothing new: it counts once instructions were read. */
export const CODE_WITHIN: typeof CodeWithin = 0.5
