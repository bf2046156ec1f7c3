import type { Decision, Event } from '@plimsoll/contracts'
import { type JudgeContext, ENGINE_VERSION, idOf, modeOf, tenantOf } from './outcome.js'
import type { SessionState } from './session.js'
import type { OwedObligation } from './specs/owed.js'
import { DECISION_SCHEMA } from './words.js'

/** What an alert says of an obligation. */
export type AlertCode = 'overdue' | 'unpaid'

/** Reasons of one alert: further ones could only say the same, and a decision must stay bounded. */
const REASONS_MAX = 32

const NO_CALL = { callId: '', tool: '', argumentsDigest: '' }

/** The decision that tells whoever watches what is owed. Which step came to owe it the session does not keep, so it names no call. */
export function alertOf(
  state: SessionState,
  event: Event,
  owed: readonly OwedObligation[],
  code: AlertCode,
  ground: JudgeContext,
): Decision {
  return noticeOf(
    state,
    event,
    NO_CALL,
    ground,
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
