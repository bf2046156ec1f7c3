import { randomUUID } from 'node:crypto'
import { type EventOf, type Handover, type SaltedDigest, saltToReport } from '@plimsoll/contracts'
import type { Observer } from '@plimsoll/labels'
import type { Disclose } from '@plimsoll/policy'
import { unserialisableError } from '../frozen.js'
import { type ProposedStep, handoverOf, raiseClaims, readable } from '../session.js'
import type { Lineage, StepCall } from './lineage.js'

/** `step` with its arguments turned into their digest, those that are disclosed, and what is seen of them. Throws `schema_invalid` for arguments that JSON cannot hold. */
export function callOf(step: ProposedStep, { observer, disclose, digest, key }: View): StepCall {
  const salted = digestOfArguments(step.tool, step.arguments, digest)
  const reported = disclose(step.tool, step.arguments)
  const seen = observer?.proposed(step)
  return {
    callId: step.callId ?? `call-${randomUUID()}`,
    tool: step.tool,
    argumentsDigest: salted.digest,
    arguments: reported,
    argumentsSalt: saltToReport(step.arguments ?? {}, reported, salted),
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

/** What sees one session's texts, and what it learns. */
export interface View {
  /** Undefined where the client has no key. */
  readonly observer: Observer | undefined
  readonly lineage: Lineage
  readonly disclose: Disclose
  /** Of the arguments of its steps. */
  readonly digest: (values: unknown) => SaltedDigest
  /** Tells the key of the session's root from others; undefined where the client has none. */
  readonly key: string | undefined
  /** What anyone who delegated to the session handed over. */
  readonly parent: Handover | undefined
  /** What the session knows from its start. */
  readonly inherited: Pick<EventOf<'session.started'>, 'root' | 'inherits' | 'signals'>
}
