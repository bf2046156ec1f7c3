import type { Event, TransitionKind } from '@plimsoll/contracts'
import { flowBucketOf } from '../labels/flow-state.js'
import { LEVELS } from '../labels/words.js'
import type { Chain, Rules } from '../rules.js'
import { type SessionState, LEFT_STATES } from '../state/session.js'
import { chainIndex, isLabelsOnly } from './risk.js'

/**
 * A transition between states of a chain. A step is counted from the session's state when it was admitted to the state when the next
 * step is admitted or the session ends, so that its result counts. A step that never ran is in no transition.
 */
export interface Transition {
  /**
   * - `began`: the first step left `from`.
   * - `survived`: a step led from `from` to `to`.
   * - `violated`: by the cascade, the step that left `from` was the violation; `to` is its target.
   * - `passed`: a step of a session that was violated by the cascade before it ended.
   * - `ended`, `endedViolated`: the session ended in `from`, which equals `to`.
   * - `labelledSafe`, `labelledViolated`: a human labelled the session.
   */
  readonly kind: TransitionKind
  readonly from: number
  readonly to: number
}

const VIOLATED = LEVELS.indexOf('violated')

/** The state that a step leaves when it is admitted; a labels-only session has none. */
export const stateLeftByStep = (state: SessionState, rules: Rules): number =>
  state.leftState === LEFT_STATES.elsewhere || isLabelsOnly(state, rules)
    ? LEFT_STATES.none
    : chainIndex(rules.chain(state.category), state)

/** The state that the latest step left, once the session's state under its own bundle is known. */
export const stateLeftAfterResult = ({ leftState }: SessionState): number =>
  leftState === LEFT_STATES.elsewhere ? LEFT_STATES.none : leftState

/** The transition of a label event, or of an appeal that a step did harm; undefined for other events. */
export function outcomeTransition(event: Event, state: SessionState, chain: Chain): Transition | undefined {
  if (event.type !== 'session.labelled' && event.type !== 'decision.appealed') return undefined
  const at = chainIndex(chain, state)
  if (event.type === 'session.labelled')
    return { kind: event.violated ? 'labelledViolated' : 'labelledSafe', from: at, to: at }
  // That one step was stopped for nothing does not say that the session did no harm.
  return event.expected === 'block' ? { kind: 'labelledViolated', from: at, to: at } : undefined
}

/**
 * The transitions known after the event between `before` and `after`, under the chain of both. If one event reports several steps
 * without a verdict, only the last is followed.
 */
export function transitionsOf(
  before: SessionState | undefined,
  after: SessionState | undefined,
  chain: Chain,
): readonly Transition[] {
  if (!before || !after || before === after || before.ended) return NO_TRANSITIONS
  const steps = after.steps - before.steps
  if (steps === 0 && !after.ended && after.level === before.level) return NO_TRANSITIONS
  const isKnown = before.leftState !== LEFT_STATES.elsewhere
  const at = chainIndex(chain, before)
  const transitions: Transition[] = []
  if ((steps > 0 || after.ended) && before.leftState >= 0)
    transitions.push({
      kind: before.level === VIOLATED ? 'passed' : 'survived',
      from: before.leftState,
      to: at,
    })
  if (steps > 0 && before.steps === 0 && isKnown) transitions.push({ kind: 'began', from: at, to: at })
  if (after.level === VIOLATED && before.level < VIOLATED) {
    // A result that makes it violated belongs to the latest step.
    const from = steps > 0 ? after.leftState : before.leftState
    if (from >= 0) transitions.push({ kind: 'violated', from, to: chainIndex(chain, after) })
  }
  if (after.ended && before.steps > 0 && isKnown)
    transitions.push({ kind: before.level === VIOLATED ? 'endedViolated' : 'ended', from: at, to: at })
  return transitions
}

const NO_TRANSITIONS: readonly Transition[] = Object.freeze([])

/** How well one step fits the chain, in nats. */
export interface Drift {
  /** −ln of the chain's probability of the step. */
  readonly surprise: number
  /** The mean surprise of the chain's own steps from that state: the difference is near 0 while nothing has changed. */
  readonly entropy: number
  /** The session's bucket before the step; undefined outside of the space `flow`. */
  readonly bucket: number | undefined
}

/** The drift of a transition of `chain`; undefined unless it is a step that the chain counts as survived. */
export function driftOf({ kind, from, to }: Transition, chain: Chain): Drift | undefined {
  // For a chain fitted on recorded truth, a violation by the cascade is a step like any other.
  if (kind !== 'survived' && (kind !== 'passed' || chain.target === 'modelled')) return undefined
  const { surprise, entropy, space } = chain
  return {
    surprise: surprise[from * entropy.length + to] ?? 0,
    entropy: entropy[from] ?? 0,
    bucket: space === 'flow' ? flowBucketOf(from) : undefined,
  }
}
