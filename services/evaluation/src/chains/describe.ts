import {
  type Counts,
  type Estimate,
  type TransitionInterval,
  analyseAbsorption,
  pointsOfNoReturn,
  transitionIntervals,
} from '@plimsoll/chains'
import { type ChainTables, type StateSpace, SPACE_SIZES } from '@plimsoll/contracts'
import { type Target, HORIZON, KAPPA, createEstimator, spaceOf, stateName } from '@plimsoll/trainer'

/** What a chain says of a category. */
export interface ChainView {
  readonly category: string
  readonly sessions: number
  readonly steps: number
  readonly violations: number
  /** P(violated within h steps) of a session that begins, h = 0…horizonMax; over the states in which its sessions began. */
  readonly ahead: readonly number[]
  /** The states that were ever left, by number. */
  readonly states: readonly StateView[]
  /** Transitions that were seen, with Wilson 95% intervals; `to` = S is `violated`, S + 1 is `ended`. */
  readonly transitions: readonly TransitionInterval[]
  /** Of the states that were ever left those whose P(horizon) exceeds the threshold, the worst first. */
  readonly noReturn: readonly NoReturn[]
}

export interface StateView {
  readonly s: number
  readonly state: string
  /** Steps that left it, and sessions that ended in it. */
  readonly left: number
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
export type CountedChain = Pick<ChainTables, 'counts' | 'traces' | 'transitions' | 'violations' | 'forward'>

/** A violation within the horizon is more likely than not. Source: SafetyDrift §5.5. */
const NO_RETURN = 0.5

/** Describes chains from what was counted: rows are estimated again, as they were for the tables. */
export function describeChains(
  { aggregate, ...categories }: Readonly<Record<string, CountedChain>>,
  {
    space,
    target,
    of,
    horizon = HORIZON,
  }: Pick<ChainsView, 'space' | 'target' | 'of'> & { horizon?: number },
): ChainsView {
  if (!aggregate) throw new RangeError('expected an aggregate')
  const estimator = createEstimator(spaceOf(space), 'observed', KAPPA)
  const overall = estimator.aggregate(countsFrom(aggregate.counts, SPACE_SIZES[space]))
  const view = (name: string, chain: CountedChain, counts: Counts, estimate: Estimate) =>
    viewOf(name, chain, counts, estimate, space, horizon)
  const all = view('aggregate', aggregate, countsFrom(aggregate.counts, SPACE_SIZES[space]), overall)
  const own = Object.entries(categories).map(([name, chain]) => {
    const counts = countsFrom(chain.counts, SPACE_SIZES[space])
    return view(name, chain, counts, estimator.category(counts, overall))
  })
  return { space, target, of, horizon, threshold: NO_RETURN, categories: [all, ...own] }
}

function viewOf(
  category: string,
  { traces: sessions, transitions: steps, violations, forward }: CountedChain,
  counts: Counts,
  { chain }: Estimate,
  space: StateSpace,
  horizon: number,
): ChainView {
  const transitions = transitionIntervals(counts)
  const left = new Map(transitions.map(({ from, of }) => [from, of]))
  const { probability, stepsToViolation } = analyseAbsorption(chain)
  const states = Array.from(left, ([s, n]): StateView => {
    const until = stepsToViolation[s] ?? Number.NaN
    return {
      s,
      state: stateName(space, s),
      left: n,
      absorbed: probability[s]?.[0] ?? 0,
      stepsToViolation: Number.isNaN(until) ? null : until,
      forward: forward[horizon]?.[s] ?? 0,
    }
  })
  const noReturn = pointsOfNoReturn(chain, NO_RETURN, horizon)
    .filter(({ state }) => left.has(state))
    .map(({ state, ...point }) => ({ state: stateName(space, state), ...point }))
    .sort((a, b) => b.probability - a.probability)
  const begun = startsOf(counts, left)
  const all = begun.reduce((sum, n) => sum + n, 0)
  const ahead = forward.map(
    (row) => begun.reduce((sum, n, s) => sum + n * (row[s] ?? 0), 0) / Math.max(1, all),
  )
  return { category, sessions, steps, violations, ahead, states, transitions, noReturn }
}

/** In how many sessions each state was the first: it was left more often than it was arrived in. */
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
