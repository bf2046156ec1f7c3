import {
  type Counts,
  type Estimate,
  type OrderTest,
  type TransitionInterval,
  analyseAbsorption,
  createOrderCounter,
  meanVisits,
  testOrder,
  transitionIntervals,
} from '@plimsoll/chains'
import {
  type ChainFigures,
  type ChainTables,
  type StateSpace,
  NO_RETURN,
  SPACE_SIZES,
} from '@plimsoll/contracts'
import {
  type SessionPath,
  type Target,
  CATEGORIES,
  HORIZON,
  HORIZON_MAX,
  KAPPA,
  chainFigures,
  createEstimator,
  createTally,
  spaceOf,
  stateName,
  tablesOf,
} from '@plimsoll/fit'
import { type ChainPath, type NextState, ORDERS, chainPathOf } from './compare.js'

/** What a chain says of a category. Numbers of steps and violations are expected ones where a violating step is not known. */
export interface ChainView {
  readonly category: string
  readonly sessions: number
  readonly steps: number
  readonly violations: number
  /** From the beginning of a session: P(h), visits, steps, the end; states are numbers. */
  readonly figures: ChainFigures
  /** The states that were ever left, by number. */
  readonly states: readonly StateView[]
  /** Transitions that were seen, with Wilson 95% intervals; `to` = S is `violated`, S + 1 is `ended`. */
  readonly transitions: readonly TransitionInterval[]
  /** Of the states that were ever left those whose P(horizon) exceeds the threshold, the worst first. */
  readonly noReturn: readonly NoReturn[]
  /** Each order against the one below, on the sessions that the chain was fitted to; empty where their paths are not known. */
  readonly orders: readonly OrderTest[]
  /** Predictions of sessions held out, by order; empty where there are none. */
  readonly nextState: readonly NextState[]
}

export interface StateView {
  readonly s: number
  readonly state: string
  /** Share of the sessions that began in it. */
  readonly start: number
  /** How often a session is in it on average. */
  readonly visits: number
  /** Steps that left it, and sessions that ended in it. */
  readonly left: number
  /** Mean steps from it until the violation or the end. */
  readonly steps: number
  /** P(violated in the end). */
  readonly absorbed: number
  /** Mean steps until the violation where one comes; null where none can. */
  readonly stepsToViolation: number | null
  /** P(violated within the horizon). */
  readonly forward: number
}

export interface NoReturn {
  readonly state: string
  /** The first h at which P(h) exceeds the threshold. */
  readonly horizon: number
  readonly probability: number
}

/** Chains over one space, by category. */
export interface ChainsView {
  readonly space: StateSpace
  readonly target: Target
  /** To what they were fitted. */
  readonly of: string
  readonly horizon: number
  /** P(horizon) past which a state is a point of no return. */
  readonly threshold: number
  readonly categories: readonly ChainView[]
}

/** Counts by category, as tables hold them. */
export type CountedChain = Pick<
  ChainTables,
  'counts' | 'traces' | 'transitions' | 'violations' | 'forward' | 'figures'
>

interface DescribeOptions extends Pick<ChainsView, 'space' | 'target' | 'of'> {
  readonly horizon?: number
  /** By category, `aggregate` among them. */
  readonly orders?: ReadonlyMap<string, readonly OrderTest[]>
}

/** Describes chains from what was counted: rows are estimated again, as they were for the tables. */
export function describeChains(
  { aggregate, ...categories }: Readonly<Record<string, CountedChain>>,
  { space, target, of, horizon = HORIZON, orders }: DescribeOptions,
): ChainsView {
  if (!aggregate) throw new RangeError('expected an aggregate')
  const estimator = createEstimator(spaceOf(space), 'observed', KAPPA)
  const all = countsFrom(aggregate.counts, SPACE_SIZES[space])
  const overall = estimator.aggregate(all)
  const view = (category: string, chain: CountedChain, counts: Counts, estimate: Estimate): ChainView => ({
    ...viewOf(category, chain, counts, estimate, space, horizon),
    orders: orders?.get(category) ?? [],
    nextState: [],
  })
  const own = Object.entries(categories).map(([name, chain]) => {
    const counts = countsFrom(chain.counts, SPACE_SIZES[space])
    return view(name, chain, counts, estimator.category(counts, overall))
  })
  const described = [view('aggregate', aggregate, all, overall), ...own]
  return { space, target, of, horizon, threshold: NO_RETURN, categories: described }
}

/** A session over a state space, and whose it is. */
export interface CategorisedPath {
  readonly category: string
  readonly path: SessionPath
}

/** Describes the chains of sessions: fitted to all of them, and tested for their order on the same. */
export function describeSessions(
  sessions: readonly CategorisedPath[],
  { space: name, ...options }: Pick<ChainsView, 'space' | 'target' | 'of'>,
): ChainsView {
  const space = spaceOf(name)
  const estimator = createEstimator(space, 'observed', KAPPA)
  const tallied = ['aggregate', ...CATEGORIES].map((category) => {
    const { add, tally } = createTally(space.size, space.start)
    const own = sessions.filter((each) => category === 'aggregate' || each.category === category)
    for (const { path } of own) add(path)
    const paths = own.map(({ path }) => [chainPathOf(path, space), path.posterior] as const)
    return { category, tally, orders: testOrders(space.size, paths) }
  })
  const overall = estimator.aggregate(
    tallied[0]?.tally.counts ?? createTally(space.size, space.start).tally.counts,
  )
  const tables = tallied.map(({ category, tally }) => {
    const estimate = category === 'aggregate' ? overall : estimator.category(tally.counts, overall)
    return [category, tablesOf(estimate, tally, { horizon: HORIZON, horizonMax: HORIZON_MAX })] as const
  })
  const orders = new Map(tallied.map((each) => [each.category, each.orders]))
  return describeChains(Object.fromEntries(tables), { space: name, orders, ...options })
}

/** Each order against the one below, over sessions with the posterior of their steps where the violating one is not known. */
export function testOrders(
  states: number,
  paths: Iterable<readonly [ChainPath, posterior?: ArrayLike<number> | undefined]>,
): OrderTest[] {
  const counter = createOrderCounter(states, 3)
  for (const [path, posterior] of paths) counter.add(path, posterior)
  return ORDERS.map((order) => testOrder(counter.counts, order))
}

function viewOf(
  category: string,
  { traces: sessions, transitions: steps, violations, forward, figures: known }: CountedChain,
  counts: Counts,
  { chain }: Estimate,
  space: StateSpace,
  horizon: number,
): Omit<ChainView, 'orders' | 'nextState'> {
  const transitions = transitionIntervals(counts)
  const left = new Map(transitions.map(({ from, of }) => [from, of]))
  const starts = known ? valuesOf(known.start, counts.states) : startsOf(counts, left)
  const figures = chainFigures(chain, {
    starts,
    left: new Set(left.keys()),
    horizon,
    horizonMax: forward.length - 1,
  })
  const start = valuesOf(figures.start, counts.states)
  const visits = meanVisits(chain, start)
  const { probability, steps: until, stepsToViolation } = analyseAbsorption(chain)
  const states = Array.from(left, ([s, n]): StateView => {
    const violatedIn = stepsToViolation[s] ?? Number.NaN
    return {
      s,
      state: stateName(space, s),
      start: start[s] ?? 0,
      visits: visits[s] ?? 0,
      left: n,
      steps: until[s] ?? 0,
      absorbed: probability[s]?.[0] ?? 0,
      stepsToViolation: Number.isNaN(violatedIn) ? null : violatedIn,
      forward: forward[horizon]?.[s] ?? 0,
    }
  })
  const noReturn = figures.noReturn
    .map(([s, first]) => ({
      state: stateName(space, s),
      horizon: first,
      probability: forward[horizon]?.[s] ?? 0,
    }))
    .sort((a, b) => b.probability - a.probability)
  return { category, sessions, steps, violations, figures, states, transitions, noReturn }
}

function valuesOf(entries: ChainFigures['start'], states: number): Float64Array {
  const values = new Float64Array(states)
  for (const [s, value] of entries) values[s] = value
  return values
}

/** Of a bundle without figures, in how many sessions each state was the first: it was left more often than it was arrived in. */
const startsOf = ({ arrivals }: Counts, left: ReadonlyMap<number, number>): Float64Array =>
  arrivals.map((arrived, s) => Math.max(0, (left.get(s) ?? 0) - arrived))

/** Counts from the entries that a bundle keeps. Where violating steps would have arrived it does not tell, and no row needs it. */
function countsFrom(entries: ChainTables['counts'], states: number): Counts {
  const width = states + 2
  const transitions = new Float64Array(states * width)
  const arrivals = new Float64Array(states)
  for (const [from, to, n] of entries) {
    transitions[from * width + to] = n
    if (to < states) arrivals[to] = (arrivals[to] ?? 0) + n
  }
  return { states, transitions, arrivals, violating: new Float64Array(states) }
}
