import { type Estimate, type TransitionCounter, createCounter } from '@plimsoll/chains'
import { foundCategory } from '@plimsoll/engine'
import { CATEGORIES, HORIZON_MAX, KAPPA, createEstimator } from '../chain/fit.js'
import { type Tables, type Tally, tablesOf } from '../chain/tally.js'
import { spaceOf } from '../chain/space.js'
import { type FlowView, arrivalState, sessionStateOf } from './flow-scores.js'
import { type TrainingSession, endOf } from './training.js'

/** Chains over the states of the space `flow`: of each category, shrunk to that of all. */
export interface FlowChains {
  readonly aggregate: Tables
  readonly categories: ReadonlyMap<string, Tables>
  /** The category's, or the aggregate; of one that was found, the worse of the two. */
  readonly of: (category: string) => Tables
}

export function fitFlowChains(view: FlowView, sessions: readonly TrainingSession[]): FlowChains {
  const counts = createFlowCounts()
  for (const session of sessions) counts.add(view, session)
  return counts.chains()
}

/** Sessions as they are added up, one by one, in memory that does not grow with them. */
export interface FlowCounts {
  add(view: FlowView, session: TrainingSession): void
  chains(): FlowChains
}

export function createFlowCounts(): FlowCounts {
  const space = spaceOf('flow')
  const aggregate = createFlowTally(space.size)
  const own = new Map(CATEGORIES.map((name): [string, FlowTally] => [name, createFlowTally(space.size)]))
  return {
    add: (view, session) => {
      for (const tally of [aggregate, own.get(session.category)]) if (tally) count(tally, view, session)
    },
    chains: () => {
      const estimator = createEstimator(space, 'observed', KAPPA)
      const overall = estimator.aggregate(aggregate.counts)
      const tablesFor = (estimate: Estimate, tally: Tally) => tablesOf(estimate, tally, HORIZON_MAX)
      const all = tablesFor(overall, aggregate)
      const categories = new Map(
        Array.from(own, ([name, tally]) => [
          name,
          tablesFor(estimator.category(tally.counts, overall), tally),
        ]),
      )
      const found = Array.from(
        categories,
        ([name, tables]) => [foundCategory(name), guarded(tables, all)] as const,
      )
      const byName = new Map([...categories, ...found])
      return { aggregate: all, categories, of: (category) => byName.get(category) ?? all }
    },
  }
}

/** As rules read a category that was found: in no state does it look better than the aggregate has it. */
const guarded = (own: Tables, aggregate: Tables): Tables => ({
  ...own,
  forward: own.forward.map((row, h) =>
    row.map((value, s) => Math.max(value, aggregate.forward[h]?.[s] ?? 0)),
  ),
})

type FlowTally = Tally & { readonly counter: TransitionCounter }

function createFlowTally(states: number): FlowTally {
  const counter = createCounter(states)
  return { counter, counts: counter.counts, traces: 0, steps: 0, violations: 0, visits: new Map() }
}

/** From standing to standing; the violating step from where the session stood to where it would have arrived. */
function count(tally: FlowTally, view: FlowView, session: TrainingSession): void {
  const { n, truth } = session
  const { counter } = tally
  tally.traces++
  let at = sessionStateOf(view, n, 0)
  for (let i = 0; i <= endOf(view.table, session); i++) {
    if (i === truth.violatedAt) {
      tally.steps++
      tally.violations++
      counter.violate(at, arrivalState(view, n, i))
      return
    }
    const to = sessionStateOf(view, n, i + 1)
    // What never ran is no survival; what was read by then counts all the same.
    if (!truth.unexecuted.has(i)) {
      tally.steps++
      counter.survive(at, to)
    }
    at = to
  }
  counter.end(at)
}
