import { randomUUID } from 'node:crypto'
import { type EventOf, type SaltedDigest, saltToReport } from '@plimsoll/contracts'
import type { View } from '../observe/observation.js'
import { unserialisableError } from './frozen.js'
import { type ProposedStep, handoverOf, raiseClaims, readable } from './session.js'

/** A proposed step as an event tells it. */
export type StepCall = Pick<
  EventOf<'step.proposed'>,
  | 'callId'
  | 'tool'
  | 'argumentsDigest'
  | 'arguments'
  | 'argumentsSalt'
  | 'labels'
  | 'evidence'
  | 'fingerprints'
  | 'addressed'
  | 'signals'
  | 'inherits'
>

/** `step` with its arguments turned into their digest, those that are disclosed, and what is seen of them. Throws `schema_invalid` for arguments that JSON cannot hold. */
export function callOf(step: ProposedStep, { observer, disclose, digest, key }: View): StepCall {
  const salted = digestOfArguments(step.tool, step.arguments, digest)
  const told = disclose(step.tool, step.arguments)
  const seen = observer?.proposed(step)
  return {
    callId: step.callId ?? `call-${randomUUID()}`,
    tool: step.tool,
    argumentsDigest: salted.digest,
    arguments: told,
    argumentsSalt: saltToReport(step.arguments ?? {}, told, salted),
    labels: raiseClaims(seen?.labels, step.labels),
    evidence: step.evidence && { sensitive: step.evidence },
    fingerprints: seen?.fingerprints,
    addressed: seen?.addressed,
    signals: seen?.signals,
    inherits: step.relative && readable(handoverOf(step.relative), key),
  }
}

/** Throws `schema_invalid` for what JSON cannot hold. */
export function digestOfArguments(
  tool: string,
  values: ProposedStep['arguments'] = {},
  digest: (values: unknown) => SaltedDigest,
): SaltedDigest {
  try {
    return digest(values)
  } catch (cause) {
    throw unserialisableError(tool, cause)
  }
}
