import { randomUUID } from 'node:crypto'
import type { ArgumentDigest, EventOf } from '@plimsoll/contracts'
import { raiseClaims } from './claims.js'
import { unwritable } from './frozen.js'
import { handoverOf, readable } from './handover.js'
import type { View } from './observation.js'
import type { ProposedStep } from './session.js'

/** A proposed step as an event tells it. */
export type StepCall = Pick<
  EventOf<'tool.proposed'>,
  | 'callId'
  | 'tool'
  | 'argumentsDigest'
  | 'arguments'
  | 'labels'
  | 'evidence'
  | 'fingerprints'
  | 'addressed'
  | 'signals'
  | 'inherits'
>

/** `step` with its arguments turned into their digest, those that are disclosed, and what is seen of them. Throws `schema_invalid` for arguments that JSON cannot hold. */
export function callOf(step: ProposedStep, { observer, disclose, digest, key }: View): StepCall {
  const argumentsDigest = digestOfArguments(step.tool, step.arguments, digest)
  const seen = observer?.proposed(step)
  return {
    callId: step.callId ?? `call-${randomUUID()}`,
    tool: step.tool,
    argumentsDigest,
    arguments: disclose(step.tool, step.arguments),
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
  digest: ArgumentDigest,
): string {
  try {
    return digest(values)
  } catch (cause) {
    throw unwritable(tool, cause)
  }
}
