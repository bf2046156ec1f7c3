import { type ExpectedVerdict, APPEALED_REASONS_MAX } from '../events/appealed.js'
import { EVENT_SCHEMA } from '../events/envelope.js'
import type { EventOf } from '../events/events.js'
import { sign } from '../events/signing.js'
import type { Decision } from './decision.js'

export type Appeal = EventOf<'decision.appealed'>

/** Who appeals, and why. */
export interface GivenAppeal {
  /** Default: `allow` for what was stopped or asked about, else `block`. */
  readonly expected?: ExpectedVerdict | undefined
  readonly by: string
  readonly reason?: string | undefined
}

/** What a decision should have been, if nobody says so: the other. */
export const expectedOf = ({ verdict }: Pick<Decision, 'verdict'>): ExpectedVerdict =>
  verdict === 'confirm' || verdict === 'block' ? 'allow' : 'block'

/** The signed event that says that a decision was wrong, with what replays it. It changes no verdict. */
export function appealOf(
  decision: Decision,
  { expected = expectedOf(decision), by, reason }: GivenAppeal,
  { id, producer, timeMs }: { readonly id: string; readonly producer: string; readonly timeMs: number },
  key: string,
): Appeal {
  const { id: decisionId, sessionId, callId, tool, verdict, reasons, versions } = decision
  const counted = reasons.filter((each) => each.liftedBy === undefined && each.verdict === verdict)
  return sign<Appeal>(
    {
      schema: EVENT_SCHEMA,
      type: 'decision.appealed',
      id,
      sessionId,
      producer,
      // Appeals come from several publishers and are not numbered.
      seq: 0,
      time: timeMs,
      decisionId,
      callId,
      tool,
      verdict,
      expected,
      reasons: counted.slice(0, APPEALED_REASONS_MAX).map(({ source, code }) => `${source}:${code}`),
      ...(versions && { versions }),
      by,
      ...(reason !== undefined && { reason }),
    },
    key,
  )
}
