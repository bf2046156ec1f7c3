import { PlimsollError } from '@plimsoll/contracts'
import { decodeState, pendingOf, type PendingCall, type SessionState } from '@plimsoll/engine'
import type { SessionStore } from '@plimsoll/runtime'

/**
 * The call that waits for the answer to `decisionId`, from the session's record.
 *
 * @throws PlimsollError `session_state_lost`, `record_invalid`, `record_too_new`, `approval_unknown`, `approval_expired`
 */
export async function findPending(
  store: Pick<SessionStore, 'load'>,
  sessionId: string,
  decisionId: string,
  nowMs: number,
): Promise<PendingCall> {
  const [record] = await store.load([sessionId])
  if (!record) throw new PlimsollError('session_state_lost', `session \`${sessionId}\` has no record`)
  const pending = pendingOf(stateOf(record.body, sessionId), decisionId)
  if (!pending)
    throw new PlimsollError(
      'approval_unknown',
      `decision \`${decisionId}\` waits for no approval: it did not ask, or was answered already`,
    )
  if (pending.expiresAt <= nowMs)
    throw new PlimsollError(
      'approval_expired',
      `decision \`${decisionId}\` expired at ${timeText(pending.expiresAt)}; the agent may propose the step again`,
    )
  return pending
}

/** What a human should see before the answer. */
export function pendingText(
  { tool, argumentsDigest, shown, evidence, expiresAt }: PendingCall,
  sessionId: string,
): string {
  const rows = [
    ['session', sessionId],
    ['tool', tool],
    ['arguments', `SHA-256 ${argumentsDigest}`],
    ['reasons', shown.join(', ')],
    ['sensitive data in it', evidence],
    ['expires', timeText(expiresAt)],
  ] as const
  return rows.map(([name, value]) => `${name.padEnd(20)}  ${value}\n`).join('')
}

/** A record's body is the offset of the last event in it, and the state. */
function stateOf(body: string, sessionId: string): SessionState {
  const decoded = decodeState(body.slice(body.indexOf(' ') + 1))
  if (decoded.kind === 'state') return decoded.state
  if (decoded.kind === 'too_new')
    throw new PlimsollError(
      'record_too_new',
      `the record of session \`${sessionId}\` has layout ${decoded.schema}`,
    )
  throw new PlimsollError('record_invalid', `the record of session \`${sessionId}\` cannot be read`)
}

const timeText = (ms: number): string => new Date(ms).toISOString()
