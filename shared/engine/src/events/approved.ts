import type { EventOf, Fault, LoggedEvent } from '@plimsoll/contracts'
import type { Facts, Rules } from '../rules.js'
import { pendingOf } from '../state/calls.js'
import { type PendingCall, type SessionState, changed } from '../state/session.js'
import type { JudgeContext, Outcome } from '../verdict/outcome.js'
import { refuse, unavailable } from '../verdict/refusal.js'
import { reconsider, refusePending } from './proposed.js'
import { markReceived, recentOf } from './sequence.js'

type Approval = EventOf<'approval.resolved'>

/** Takes back an approval for the session. */
export function revoke(state: SessionState, event: EventOf<'approval.revoked'>, input: LoggedEvent): Outcome {
  if (recentOf(state, input.hash)) return { state }
  const approvals = state.approvals.filter(({ id }) => id !== event.approval)
  if (approvals.length < state.approvals.length)
    return markReceived({ state: changed(state, { approvals }) }, input, false)
  const message = `session \`${event.sessionId}\` has no approval \`${event.approval}\``
  return refuse(state, input, { code: 'approval_unknown', message })
}

/** Applies a human's answer to the pending step. An answer that fits no pending step changes nothing. */
export function approve(
  state: SessionState,
  event: Approval,
  input: LoggedEvent,
  rules: Rules | undefined,
  facts: Facts,
): Outcome {
  if (recentOf(state, input.hash)) return { state }
  if (!rules) return unavailable(state, input, facts)
  const call = pendingOf(state, event.decisionId)
  if (!call) return refuse(state, input, unknownDecision(event), facts)
  if (call.argumentsDigest !== event.argumentsDigest) return refuse(state, input, mismatch(event), facts)
  // The same event id may have requested approval before.
  if (call.expiresAt !== event.expiresAt) return refuse(state, input, otherApprovalRequest(event), facts)
  const context = { rules, facts, time: input.timeMs }
  const outcome = resolve(state, event, call, context)
  return outcome.fault ? outcome : markReceived(outcome, input, false)
}

function resolve(state: SessionState, event: Approval, call: PendingCall, context: JudgeContext): Outcome {
  const refusal = (code: string, message: string) =>
    refusePending(state, event, call, { source: 'approval', code, verdict: 'block', message }, context)
  if (context.time >= call.expiresAt)
    return refusal('approval_expired', `the approval by \`${event.by}\` came too late`)
  if (event.resolution === 'denied') return refusal('approval_denied', denialText(event))
  return reconsider(state, event, call, context)
}

/** Characters of a denial's reason that the agent gets. */
const REASON_CHARS_MAX = 500

/** On one line, with the reason: the agent can do better then. */
function denialText({ by, reason = '' }: Approval): string {
  const why = reason
    .slice(0, REASON_CHARS_MAX)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
  return `\`${by}\` denied the step${why === '' ? '' : `: ${why}`}`
}

const unknownDecision = ({ decisionId }: Approval): Fault => ({
  code: 'approval_unknown',
  message: `decision \`${decisionId}\` waits for no approval`,
})

const mismatch = ({ decisionId }: Approval): Fault => ({
  code: 'approval_mismatch',
  message: `the arguments of decision \`${decisionId}\` have another digest`,
})

const otherApprovalRequest = ({ decisionId, expiresAt }: Approval): Fault => ({
  code: 'approval_mismatch',
  message: `the question that decision \`${decisionId}\` asks does not end at ${expiresAt}`,
})
