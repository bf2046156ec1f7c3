import { PlimsollError } from '@plimsoll/contracts'
import { pendingOf, type PendingCall } from '@plimsoll/engine'
import { findSession } from '@plimsoll/operator'
import type { SessionStore } from '@plimsoll/runtime'
import { plainText } from '../plain-text.js'
import { timeText } from '../time-text.js'

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
  const session = await findSession(store, sessionId)
  if (!session) throw new PlimsollError('session_state_lost', `session \`${sessionId}\` has no record`)
  const pending = pendingOf(session.state, decisionId)
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
  { tool, argumentsDigest, shown, lineEvidence: evidence, expiresAt }: PendingCall,
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
  return rows.map(([name, value]) => `${name.padEnd(20)}  ${plainText(value)}\n`).join('')
}
