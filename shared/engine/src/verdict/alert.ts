import type { Decision, Event } from '@plimsoll/contracts'
import { DECISION_SCHEMA } from '../labels/words.js'
import { type OwedObligation, owedObligations } from '../specs/status.js'
import type { SessionState } from '../state/session.js'
import { type JudgeContext, type Outcome, ENGINE_VERSION, idOf, modeOf, tenantOf } from './outcome.js'

/** What an alert says of an obligation. */
export type AlertCode = 'overdue' | 'unpaid'

/** Reasons of one alert: further ones could only say the same, and a decision must stay bounded. */
const REASONS_MAX = 32

const NO_CALL = { callId: '', tool: '', argumentsDigest: '' }

/** The decision that tells anyone who watches what is owed. Which step came to owe it the session does not keep, so it names no call. */
export function alertOf(
  state: SessionState,
  event: Event,
  owed: readonly OwedObligation[],
  code: AlertCode,
  context: JudgeContext,
): Decision {
  return noticeOf(
    state,
    event,
    NO_CALL,
    context,
    owed.slice(0, REASONS_MAX).map(({ spec: { id, requirements } }) => ({
      source: 'mustlist' as const,
      code: id,
      verdict: 'warn' as const,
      message: MESSAGES[code](id),
      ...(requirements && { requirements: [...requirements] }),
    })),
  )
}

/** A decision that nobody waits for. */
export function noticeOf(
  state: SessionState,
  event: Event,
  call: Pick<Decision, 'callId' | 'tool' | 'argumentsDigest'>,
  { rules, facts, time }: JudgeContext,
  reasons: Decision['reasons'],
): Decision {
  const { bundle, policy, catalogue } = rules.versions
  return {
    schema: DECISION_SCHEMA,
    id: idOf(event, 'alert'),
    kind: 'alert',
    sessionId: event.sessionId,
    tenant: tenantOf(event.sessionId),
    mode: modeOf(facts),
    eventId: event.id,
    ...call,
    verdict: 'warn',
    reasons,
    versions: { bundle, policy, catalogue, engine: ENGINE_VERSION },
    facts: {},
    step: state.steps,
    time,
  }
}

const MESSAGES: Readonly<Record<AlertCode, (id: string) => string>> = {
  overdue: (id) => `what \`${id}\` asks for is overdue: nothing has paid it in time`,
  unpaid: (id) => `the session ended while \`${id}\` was owed`,
}

/** `state` at its end. An end cannot be refused: what is owed then is told. */
export function endSession(state: SessionState, event: Event, context: JudgeContext): Outcome {
  const ended = { ...state, ended: true, calls: [] }
  const owed = owedObligations(state.memory, context.rules.memory)
  if (owed.length === 0) return { state: ended }
  return { state: ended, decision: alertOf(state, event, owed, 'unpaid', context) }
}
