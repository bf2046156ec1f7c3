import { PlimsollError } from '@plimsoll/contracts'
import { argumentLines } from '@plimsoll/labels'
import { pendingOf, type PendingCall } from '@plimsoll/engine'
import { findSession } from '@plimsoll/operator'
import type { SessionStore } from '@plimsoll/runtime'
import { plainText } from '../plain-text.js'
import { timeText } from '../time-text.js'
import type { StepArguments } from './step-arguments.js'

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
  assertOpen(pending, nowMs)
  return pending
}

/** Throws `approval_expired` where an answer would come too late. */
export function assertOpen({ decisionId, expiresAt }: PendingCall, nowMs: number): void {
  if (expiresAt > nowMs) return
  throw new PlimsollError(
    'approval_expired',
    `decision \`${decisionId}\` expired at ${timeText(expiresAt)}; the agent may propose the step again`,
  )
}

/** What a human should see before the answer: the step first, each argument on lines of its own. */
export function pendingText(
  { tool, argumentsDigest, shown, lineEvidence: evidence, expiresAt }: PendingCall,
  sessionId: string,
  told: StepArguments,
): string {
  const lines = told.values ? argumentLines(told.values) : []
  return [
    row('tool', tool),
    row('arguments', told.isWhole ? WHOLE : `${told.problem} (digest ${argumentsDigest})`),
    ...lines.map((line) => `  ${plainText(line)}\n`),
    row('session', sessionId),
    row('reasons', shown.join(', ')),
    row('sensitive data in it', evidence),
    row('expires', timeText(expiresAt)),
  ].join('')
}

const WHOLE = 'all of them, as the digest that is approved proves'

const row = (name: string, value: string): string => `${name.padEnd(20)}  ${plainText(value)}\n`
