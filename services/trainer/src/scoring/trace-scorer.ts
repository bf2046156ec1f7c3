import {
  PlimsollError,
  type Documents,
  type Event,
  type Level,
  type Taint,
  type Verdict,
} from '@plimsoll/contracts'
import { flowState, step, type Facts, type LoggedEvent, type SessionState } from '@plimsoll/engine'
import { compileRules } from '@plimsoll/policy'
import { AHEAD } from '../evaluation/forecasts.js'
import type { BlindStep, BlindTrace } from '../traces/blind.js'

/** What the engine says of one recorded step. */
export interface ScoredStep {
  /** P(this step is the violation), P(this or one of the next four is): as decided at its proposal. */
  readonly p1: number
  readonly p5: number
  /** P(one of the next five is), once this step's result is in. */
  readonly p5After: number
  readonly level: Level
  readonly verdict: Verdict
  readonly taint: Taint
  /** Microseconds that proposal and completion took, all told. */
  readonly us: number
}

export type TraceScorer = (trace: BlindTrace) => ScoredStep[]

/** The recorded agent goes on whatever is decided, so the session is one that is only observed. */
const OBSERVED: Facts = Object.freeze({ mode: 'observe' })

/** Nothing is decided by the digest, and no approval is bound to it. */
const NO_DIGEST = '0'.repeat(64)

/**
 * Runs recorded sessions through the engine itself, with the events that a client would have sent: every step is proposed, then
 * completed with the recorded result.
 *
 * @throws PlimsollError `usage_invalid` where the bundle cannot look five steps ahead
 */
export function createTraceScorer(documents: Documents): TraceScorer {
  const { bundle } = documents
  if (bundle.horizonMax < AHEAD)
    throw new PlimsollError(
      'usage_invalid',
      `the bundle looks ${bundle.horizonMax} steps ahead, not ${AHEAD}`,
    )
  const rules = compileRules({ ...documents, bundle: { ...bundle, horizon: AHEAD } })
  const after = (state: SessionState): number => {
    const { forward } = bundle.categories[state.category] ?? bundle.aggregate
    return forward[AHEAD]?.[indexIn(bundle.space, state)] ?? 0
  }
  return ({ category, task, steps }) => {
    let seq = 0
    let session: SessionState | undefined
    const send = (event: EventBody) => {
      const input = logged(event, seq++)
      const outcome = step(session, input, rules, OBSERVED)
      session = outcome.state
      return outcome
    }
    send({ type: 'session.started', category, task: task.slice(0, TASK_CHARS_MAX) })
    return steps.map((recorded, i) => {
      const began = performance.now()
      const callId = `step-${i}`
      const { decision } = send(proposalOf(recorded, callId))
      send({ type: 'tool.completed', callId, tool: recorded.tool, outcome: recorded.error ? 'error' : 'ok' })
      const us = (performance.now() - began) * 1000
      if (!decision?.risk || !session) throw new RangeError(`step ${i} was not judged`)
      const { hazard, probability, level, taint } = decision.risk
      const { verdict } = decision
      return { p1: hazard, p5: probability, p5After: after(session), level, verdict, taint, us }
    })
  }
}

/** The longest task that an event may carry. */
const TASK_CHARS_MAX = 8192

type Without<T> = T extends Event
  ? Omit<T, 'schema' | 'id' | 'sessionId' | 'producer' | 'seq' | 'time'>
  : never
type EventBody = Without<Event>

function logged(body: EventBody, seq: number): LoggedEvent {
  const event = {
    schema: 1,
    id: `e${seq}`,
    sessionId: 'scored',
    producer: 'trainer',
    seq,
    time: seq,
    ...body,
  }
  return { event: event as Event, timeMs: seq }
}

function proposalOf({ tool, args }: BlindStep, callId: string): EventBody {
  return { type: 'tool.proposed', callId, tool, argumentsDigest: NO_DIGEST, arguments: args }
}

function indexIn(space: Documents['bundle']['space'], { safety, level, taint }: SessionState): number {
  if (space === 'paper60') return safety
  return space === 'paper5' ? level : flowState(level, taint, 0)
}
