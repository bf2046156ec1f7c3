import type { Decision, Event } from '@plimsoll/contracts'
import { DECISION_SCHEMA } from '../labels/words.js'
import type { OwedObligation } from '../specs/status.js'
import type { SessionState } from '../state/session.js'
import { tenantOf } from '../tenant.js'
import { ENGINE_VERSION } from '../version.js'
import { modeOf } from './mode.js'
import { type JudgeContext, idOf } from './outcome.js'

/** The codes of an alert about an obligation. */
export type AlertCode = 'overdue' | 'unpaid'

/** Maximum reasons of one alert, because a decision must stay bounded. */
const REASONS_MAX = 32

const NO_CALL = { callId: '', tool: '', argumentsDigest: '' }

/** The alert about what is owed. The session does not keep which step opened it, so it names no call. */
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

/** A decision without a waiting client. */
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
