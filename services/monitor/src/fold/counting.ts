import { type Event, monthOf, tenantOf, transitionCountsName, transitionField } from '@plimsoll/contracts'
import {
  type Transition,
  type Outcome,
  type Rules,
  type SessionState,
  foundIn,
  isLabelsOnly,
  transitionsOf,
  outcomeTransition,
} from '@plimsoll/engine'
import type { CountedFields } from '@plimsoll/runtime'

/** Whose transitions over the states of their chain are counted. */
export interface Counting {
  readonly isOn: boolean
  /** Tenants that are left out, such as tests and attack exercises. */
  readonly exceptTenants: readonly string[]
}

/** Whether the session with that id is counted. */
export type IsCounted = (sessionId: string) => boolean

/** All sessions by default. */
export function createIsCounted(
  { isOn, exceptTenants }: Counting = { isOn: true, exceptTenants: [] },
): IsCounted {
  const except = new Set(exceptTenants)
  return (sessionId) => isOn && (except.size === 0 || !except.has(tenantOf(sessionId)))
}

/** Transitions of one session in a chunk, under one chain. */
export interface SessionTransitions {
  readonly category: string
  readonly transitions: readonly Transition[]
}

/** The transitions of `outcomes` of `events`, folded from `before` under `rules`; undefined if there are none. */
export function countTransitions(
  before: SessionState | undefined,
  outcomes: readonly Outcome[],
  events: readonly { readonly event: Event }[],
  rules: Rules | undefined,
): SessionTransitions | undefined {
  const first = before ?? outcomes.find(({ state }) => state)?.state
  if (!rules || !first || first.steps > STEPS_COUNTED_MAX) return undefined
  const isCounted = (state: SessionState): boolean =>
    // The chain state of a labels-only session is unknown.
    state.steps <= STEPS_COUNTED_MAX && !isLabelsOnly(state, rules)
  // An inferred category depends on the text of the task, which must not shift the chain of sessions that declare theirs.
  const chain = rules.chain(foundIn(first.category) === undefined ? first.category : '')
  const transitions: Transition[] = []
  let at = before
  for (const [i, { state }] of outcomes.entries()) {
    if (at && isCounted(at))
      for (const transition of transitionsOf(at, state, chain)) transitions.push(transition)
    const event = events[i]?.event
    // A repeated event leaves the state unchanged.
    const isNew = state && state !== at && isCounted(state)
    const reported = event && isNew ? outcomeTransition(event, state, chain) : undefined
    if (reported) transitions.push(reported)
    at = state
  }
  return transitions.length > 0 ? { category: chain.name, transitions } : undefined
}

/** A session in a loop must not outweigh all others. */
const STEPS_COUNTED_MAX = 500

/** The fields to increment in the store, under the month of the append time `timeMs`. */
export const fieldsOf = (
  { category, transitions }: SessionTransitions,
  { meaning }: Pick<Rules, 'meaning'>,
  timeMs: number,
): CountedFields => ({
  name: transitionCountsName(meaning, monthOf(timeMs)),
  fields: transitions.map((transition) => transitionField({ ...transition, category })),
})
