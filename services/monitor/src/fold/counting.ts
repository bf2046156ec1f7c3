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

/** Whose sessions are counted: how they go over the states of their chain. */
export interface Counting {
  readonly isOn: boolean
  /** Tenants whose sessions are not: those that test or attack on purpose. */
  readonly exceptTenants: readonly string[]
}

export const COUNT_ALL: Counting = { isOn: true, exceptTenants: [] }

/** Whether the session of that id is counted. */
export type IsCounted = (sessionId: string) => boolean

export function createIsCounted({ isOn, exceptTenants }: Counting): IsCounted {
  const except = new Set(exceptTenants)
  return (sessionId) => isOn && (except.size === 0 || !except.has(tenantOf(sessionId)))
}

/** Moves of one session: a chunk folds it under one chain. */
export interface SessionTransitions {
  readonly category: string
  readonly transitions: readonly Transition[]
}

/** What `outcomes` of `events`, folded from `before` on under `rules`, tell of how the session goes; undefined where that is nothing. */
export function countTransitions(
  before: SessionState | undefined,
  outcomes: readonly Outcome[],
  events: readonly { readonly event: Event }[],
  rules: Rules | undefined,
): SessionTransitions | undefined {
  const first = before ?? outcomes.find(({ state }) => state)?.state
  if (!rules || !first || first.steps > STEPS_COUNTED_MAX) return undefined
  const isCounted = (state: SessionState): boolean =>
    // In which state of the chain an labels-only session is nobody knows.
    state.steps <= STEPS_COUNTED_MAX && !isLabelsOnly(state, rules)
  // A category that was found is picked by anyone who wrote the task: it is not to move the chain of those who declare it.
  const chain = rules.chain(foundIn(first.category) === undefined ? first.category : '')
  const transitions: Transition[] = []
  let at = before
  for (const [i, { state }] of outcomes.entries()) {
    if (at && isCounted(at))
      for (const transition of transitionsOf(at, state, chain)) transitions.push(transition)
    const event = events[i]?.event
    // A repeat leaves the state as it was.
    const isNew = state && state !== at && isCounted(state)
    const reported = event && isNew ? outcomeTransition(event, state, chain) : undefined
    if (reported) transitions.push(reported)
    at = state
  }
  return transitions.length > 0 ? { category: chain.name, transitions } : undefined
}

/** A session that goes round in circles must not outweigh all others. */
const STEPS_COUNTED_MAX = 500

/** As the store adds them up: those of the month of `timeMs`, the log's. */
export const fieldsOf = (
  { category, transitions }: SessionTransitions,
  { meaning }: Pick<Rules, 'meaning'>,
  timeMs: number,
): CountedFields => ({
  name: transitionCountsName(meaning, monthOf(timeMs)),
  fields: transitions.map((transition) => transitionField({ ...transition, category })),
})
