import { APPROVAL_SCOPES, REFINEMENTS, type ApprovalScope, type EventOf } from '@plimsoll/contracts'
import { deadlineIdOf, nextDeadline, pendingOf, type SessionState } from '@plimsoll/engine'
import type { Random } from './random.js'
import { randomLabels, TOOLS } from './world.js'
import { DIGESTS, type Style, callIdOf } from './script-values.js'

const fromConsole = (random: Random, id: string) =>
  ({ schema: 1, id, sessionId: 's', producer: 'console', seq: random.below(3), time: 0 }) as const

export function approval(
  random: Random,
  id: string,
  questions: readonly (readonly [string, string])[],
  state: SessionState | undefined,
  scope?: ApprovalScope,
): EventOf<'approval.resolved'> {
  const [decisionId, digest] = questions[Math.max(0, questions.length - 1 - random.below(4))] ?? [
    's#none#step',
    DIGESTS[0],
  ]
  return {
    ...fromConsole(random, id),
    type: 'approval.resolved',
    decisionId,
    argumentsDigest: random.chance(0.9) ? digest : random.pick(DIGESTS),
    expiresAt:
      random.chance(0.95) && state ? (pendingOf(state, decisionId)?.expiresAt ?? 0) : random.below(9),
    resolution: random.chance(0.8) ? 'approved' : 'denied',
    ...(random.chance(0.6) && { scope: scope ?? random.pick(APPROVAL_SCOPES) }),
    by: 'ann',
    signature: DIGESTS[0],
  }
}

/** Of an approval for the session; sometimes of an unknown one. */
export const revocation = (
  random: Random,
  id: string,
  state: SessionState | undefined,
): EventOf<'approval.revoked'> => ({
  ...fromConsole(random, id),
  type: 'approval.revoked',
  approval: state?.approvals[random.below(state.approvals.length + 1)]?.id ?? 'none',
  by: 'ann',
  signature: DIGESTS[0],
})
/** A declassification for the line, or for a spec that no policy has. */
export const declassification = (random: Random, id: string): EventOf<'declassification.granted'> => ({
  schema: 1,
  id,
  sessionId: 's',
  producer: 'console',
  seq: random.below(3),
  time: 0,
  type: 'declassification.granted',
  spec: random.pick(['line', 'line', 'lines']),
  by: 'ann',
  reason: 'looked at it',
  signature: DIGESTS[0],
})

/** A judge's labels for a tool: sometimes for a labelled one, or for a call that does not exist. */
export function refinement(random: Random, style: Style, id: string): EventOf<'labels.refined'> {
  return {
    schema: 1,
    id,
    sessionId: 's',
    producer: 'judge',
    seq: 0,
    time: 0,
    type: 'labels.refined',
    decisionId: 's#e1#step',
    callId: callIdOf(random, style),
    tool: random.pick(TOOLS),
    labels: randomLabels(random),
    effect: random.pick(REFINEMENTS),
    by: 'a model',
    signature: DIGESTS[0],
  }
}

/** A deadline: sometimes early, late, or for something that does not exist. */
export function deadline(
  random: Random,
  state: SessionState | undefined,
  timeMs: number,
): EventOf<'deadline.reached'> {
  const pending = (state?.calls ?? []).filter(({ status }) => status === 'pending')
  const [call] = pending.slice(random.below(pending.length))
  const due: EventOf<'deadline.reached'>['due'] =
    call?.status === 'pending' && random.chance(0.9)
      ? { kind: 'approval', decisionId: call.decisionId }
      : random.chance(0.5)
        ? { kind: 'idle', lastEventAt: random.chance(0.5) ? (state?.time ?? 0) : random.below(timeMs) }
        : { kind: 'approval', decisionId: 's#none#step' }
  const dueAt = (state && nextDeadline(state).approvalMs) ?? timeMs
  const base = { schema: 1, sessionId: 's', producer: 'monitor', seq: random.below(3), time: 0 } as const
  return { ...base, id: deadlineIdOf(due), type: 'deadline.reached', due, dueAt, signature: DIGESTS[0] }
}
