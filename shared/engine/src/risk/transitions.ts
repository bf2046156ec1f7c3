import type { Event, TransitionKind } from '@plimsoll/contracts'
import { flowBucketOf } from '../labels/flow-state.js'
import { LEVELS } from '../labels/words.js'
import type { Chain, Rules } from '../rules.js'
import { type SessionState, LEFT_STATES } from '../state/session.js'
import { chainIndex, isLabelsOnly } from './risk.js'

/**
 * What one event tells of how sessions go over the states of their chain. A step is counted from where the session stood when it was let
 * run to where it stands when the next one is, or when it ends: so its result counts. What never ran is in no move.
 */
export interface Transition {
  /**
   * `began`: the first step left `from`. `survived`: a step led from `from` to `to`. `violated`: by the cascade, the step that left `from`
   * was the violation; `to` is where it arrived. `passed`: a step of a session that the cascade had called violated by its end.
   * `ended`, `endedViolated`: the session ended in `from`, which is `to` as well. `toldSafe`, `toldViolated`: somebody looked, and said so.
   */
  readonly kind: TransitionKind
  readonly from: number
  readonly to: number
}

const VIOLATED = LEVELS.indexOf('violated')

/** The state that a step leaves, as it is let run in `state`; an labels-only session is in none. */
export const stateLeftByStep = (state: SessionState, rules: Rules): number =>
  state.leftState === LEFT_STATES.elsewhere || isLabelsOnly(state, rules)
    ? LEFT_STATES.none
    : chainIndex(rules.chain(state.category), state)

/** `left` once where the session stands is known under its own bundle. */
export const stateLeftAfterResult = ({ leftState }: SessionState): number =>
  leftState === LEFT_STATES.elsewhere ? LEFT_STATES.none : leftState

/** What an event tells of what really happened to a session in `state`, where it is one that does. */
export function outcomeTransition(event: Event, state: SessionState, chain: Chain): Transition | undefined {
  if (event.type !== 'session.labelled') return undefined
  const at = chainIndex(chain, state)
  return { kind: event.violated ? 'toldViolated' : 'toldSafe', from: at, to: at }
}

/**
 * The moves that are known once the event between `before` and `after` is folded, under the chain of both. Where one event lets several
 * steps run (those that ran unanswered) only the last of them is followed.
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
    // A result that brings it to that is the latest step's.
    const from = steps > 0 ? after.leftState : before.leftState
    if (from >= 0) transitions.push({ kind: 'violated', from, to: chainIndex(chain, after) })
  }
  if (after.ended && before.steps > 0 && isKnown)
    transitions.push({ kind: before.level === VIOLATED ? 'endedViolated' : 'ended', from: at, to: at })
  return transitions
}

const NO_TRANSITIONS: readonly Transition[] = Object.freeze([])

/** What one step says of whether sessions still go as the chain's did, in nats. */
export interface Drift {
  /** −ln of the chain's probability of the step that was made. */
  readonly surprise: number
  /** What the chain's own steps from there surprise by in the mean: their difference is near 0 while nothing has changed. */
  readonly entropy: number
  /** The bucket in which the session stood as it made the step; undefined outside of the space `flow`. */
  readonly bucket: number | undefined
}

/**
 * The drift of `move`, which is of `chain`: from where the session stood to where its result left it, as the chain was counted. Undefined
 * for what is no step that the chain calls survived.
 */
export function driftOf({ kind, from, to }: Transition, chain: Chain): Drift | undefined {
  // To the recordings' truth the cascade's violation is a step like any other.
  if (kind !== 'survived' && (kind !== 'passed' || chain.target === 'modelled')) return undefined
  const { surprise, entropy, space } = chain
  return {
    surprise: surprise[from * entropy.length + to] ?? 0,
    entropy: entropy[from] ?? 0,
    bucket: space === 'flow' ? flowBucketOf(from) : undefined,
  }
}
