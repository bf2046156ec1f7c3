import { createHmac, timingSafeEqual } from 'node:crypto'
import { canonicalJson } from '../canonical.js'
import { EVENT_SCHEMA } from './envelope.js'
import type { EventOf } from './events.js'

/** Records that only the deployment itself may write: internal events, control changes, partition reports. */
export interface Signed {
  readonly signature: string
}

/** `record` with its signature: HMAC-SHA-256 in hex under `key` over the canonical JSON of everything else in it. */
export function sign<T extends Signed>(record: Unsigned<T>, key: string): T {
  return { ...record, signature: signatureOf(record, key) } as unknown as T
}

/** `T` without its signature, distributed over unions. */
export type Unsigned<T extends Signed> = T extends unknown ? Omit<T, 'signature'> : never

/** Whether `record` was signed with `key`; compared in constant time. */
export function isSignedBy(record: Signed, key: string): boolean {
  const { signature, ...rest } = record
  const expected = Buffer.from(signatureOf(rest, key), 'hex')
  const given = Buffer.from(signature, 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function signatureOf(record: object, key: string): string {
  return createHmac('sha256', key).update(canonicalJson(record)).digest('hex')
}

type Approval = EventOf<'approval.resolved'>

/** A human's answer to an approval request, and its publisher. */
interface ApprovalRecord extends Pick<
  Approval,
  'id' | 'sessionId' | 'decisionId' | 'argumentsDigest' | 'expiresAt' | 'resolution' | 'by' | 'producer'
> {
  readonly reason?: string | undefined
  readonly scope?: Approval['scope']
  readonly timeMs: number
}

/** The signed record of a human's answer for the events topic. */
export function approvalRecord(
  reported: ApprovalRecord,
  key: string,
): { readonly key: string; readonly value: string } {
  const { id, sessionId, decisionId, argumentsDigest, expiresAt, resolution, scope, by, reason, timeMs } =
    reported
  const event = sign<Approval>(
    {
      schema: EVENT_SCHEMA,
      type: 'approval.resolved',
      id,
      sessionId,
      producer: reported.producer,
      // Approvals come from several publishers and are not numbered.
      seq: 0,
      time: timeMs,
      decisionId,
      argumentsDigest,
      expiresAt,
      resolution,
      ...(scope !== undefined && { scope }),
      by,
      ...(reason !== undefined && { reason }),
    },
    key,
  )
  return { key: sessionId, value: JSON.stringify(event) }
}
