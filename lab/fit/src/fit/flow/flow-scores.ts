import { acrossBuckets, crossed, flowState, foundCategory } from '@plimsoll/engine'
import { levelOfPlace, taintOfPlace } from '../features/session-rows.js'
import type { SessionTable } from '../features/session-table.js'
import { CATEGORIES, HORIZON, HORIZON_MAX, KAPPA, createEstimator } from '../chain/fit.js'
import {
  type CountedStep,
  type Tables,
  type Tally,
  addTotals,
  countSteps,
  emptyTally,
  tablesOf,
} from '../chain/tally.js'
import { type Estimate, type TransitionCounter, createCounter } from '@plimsoll/chains'
import { type StepPosterior, uniformPosterior } from '../chain/session-path.js'
import { spaceOf } from '../chain/space.js'
import { posteriorFrom } from '../conduct/conduct-scorer.js'
import { type TrainingSession, endOf } from './training.js'

/** What a method says of one session: a value a step each. NaN where it says nothing. */
export interface SessionScores {
  /** P(this step is the violation), as decided at its proposal. */
  readonly p1: Float64Array
  /** P(this step or one of the next four is), as decided at its proposal. */
  readonly p5: Float64Array
  /** P(one of the next five is), once this step's result is in. */
  readonly p5After: Float64Array
}

export const emptyScores = (steps: number): SessionScores => ({
  p1: new Float64Array(steps),
  p5: new Float64Array(steps),
  p5After: new Float64Array(steps),
})

/** What the two scorers say, by rows of a table: of proposed steps, of sessions, of where steps arrive. */
export interface RowScores {
  readonly hazard: Float64Array
  readonly session: Float64Array
  readonly arrival: Float64Array
  /** Risks by conduct within the horizon, two rows a step; empty without a scorer of conduct. */
  readonly conduct: Float64Array
}

/** Sessions of a table as states of the space `flow`. */
export interface FlowView {
  readonly table: SessionTable
  readonly rows: RowScores
  /** Ascending probabilities that part the buckets. */
  readonly edges: readonly number[]
  /** The mean probability of each bucket that training sessions were in. */
  readonly centres: readonly number[]
}

/** State before the first step (after = 0) or once the result of step after − 1 is in. */
export function sessionStateOf({ table, rows, edges }: FlowView, n: number, after: number): number {
  const row = table.sessionRowAt(n) + after
  return stateAt(table.sessionPlaces[row] ?? 0, rows.session[row] ?? 0, edges)
}

/** State in which step i arrives, before its result. */
export function arrivalState({ table, rows, edges }: FlowView, n: number, i: number): number {
  const row = table.stepAt(n) + i
  return stateAt(table.arrivalPlaces[row] ?? 0, rows.arrival[row] ?? 0, edges)
}

function stateAt(place: number, probability: number, edges: readonly number[]): number {
  return stateOfPlace(place, crossed(probability, edges))
}

const stateOfPlace = (place: number, bucket: number): number =>
  flowState(levelOfPlace(place), taintOfPlace(place), bucket)

/** P(h | proposed) = p1 + (1 − p1) × P(h − 1 | the state the step arrives in); p5After by the state that its result leaves. */
export function scoresIn(view: FlowView, n: number, { forward }: Pick<Tables, 'forward'>): SessionScores {
  const { table, rows } = view
  const scores = emptyScores(table.stepsOf(n))
  for (const i of scores.p1.keys()) {
    const step = table.stepAt(n) + i
    const sessionRow = table.sessionRowAt(n) + i + 1
    const p1 = rows.hazard[step] ?? 0
    scores.p1[i] = p1
    const next = ahead(view, forward[HORIZON - 1], table.arrivalPlaces, rows.arrival, step)
    const after = ahead(view, forward[HORIZON], table.sessionPlaces, rows.session, sessionRow)
    scores.p5[i] = Math.max(p1 + (1 - p1) * next, rows.conduct[2 * step] ?? 0)
    scores.p5After[i] = Math.max(after, rows.conduct[2 * step + 1] ?? 0)
  }
  return scores
}

/** As the engine reads a table of the chain. */
function ahead(
  { centres }: FlowView,
  table: readonly number[] = [],
  places: ArrayLike<number>,
  probabilities: ArrayLike<number>,
  row: number,
): number {
  return acrossBuckets(table, stateOfPlace(places[row] ?? 0, 0), probabilities[row] ?? 0, centres)
}

/** Chains over the states of the space `flow`: of each category, shrunk to that of all. */
export interface FlowChains {
  readonly aggregate: Tables
  readonly categories: ReadonlyMap<string, Tables>
  /** The category's, or the aggregate; for a found category, the worse of the two. */
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
      const tablesFor = (estimate: Estimate, tally: Tally) =>
        tablesOf(estimate, tally, { horizon: HORIZON, horizonMax: HORIZON_MAX })
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
  return { counter, ...emptyTally(counter) }
}

/** From state to state; the violating step from the session's state to where it would have arrived. */
function count(tally: FlowTally, view: FlowView, session: TrainingSession): void {
  const start = sessionStateOf(view, session.n, 0)
  addTotals(
    tally,
    start,
    countSteps(tally.counter, start, stepsIn(view, session), posteriorOf(view, session)),
  )
}

function* stepsIn(view: FlowView, session: TrainingSession): Generator<CountedStep> {
  const { n, truth } = session
  for (let i = 0; i <= endOf(view.table, session); i++) {
    const to = sessionStateOf(view, n, i + 1)
    const ran = i === truth.violatedAt || !truth.unexecuted.has(i)
    yield { to, arrival: arrivalState(view, n, i), ran }
  }
}

function posteriorOf({ table, rows }: FlowView, session: TrainingSession): StepPosterior {
  const { n, truth, posterior, isWhole } = session
  const { violatedAt, unsafe } = truth
  if (posterior) return posterior
  if (isWhole && unsafe) {
    const from = 2 * table.stepAt(n)
    const steps = table.stepsOf(n)
    return rows.conduct.length === 0
      ? uniformPosterior(steps)
      : posteriorFrom(rows.conduct.subarray(from, from + 2 * steps))
  }
  if (violatedAt === undefined) return []
  const known = new Float64Array(violatedAt + 1)
  known[violatedAt] = 1
  return known
}
