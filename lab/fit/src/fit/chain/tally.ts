import {
  type Counts,
  type Estimate,
  type TransitionCounter,
  analyseAbsorption,
  createCounter,
  horizonTable,
  sparseCounts,
} from '@plimsoll/chains'
import type { ChainTables } from '@plimsoll/contracts'
import {
  type Exclusion,
  type PathResult,
  type SessionPath,
  type StepPosterior,
  type Target,
  createPathFinder,
} from './session-path.js'
import type { Labeller } from '@plimsoll/labels'
import { chainFigures } from './figures.js'
import type { Space } from './space.js'
import type { Trace } from '../../corpus/trace.js'

/**
 * How many sessions, by whether they were violated, arrived in exactly this set of states up to their violation or end. A session whose
 * violating step is not known counts in parts.
 */
export interface Visit {
  readonly states: readonly number[]
  safe: number
  unsafe: number
}

/** What one category's sessions add up to. Of sessions whose violating step is not known, expected numbers. */
export interface Tally {
  readonly counts: Counts
  /** starts[s]: sessions that began in s. */
  readonly starts: Float64Array
  traces: number
  steps: number
  violations: number
  readonly visits: ReadonlyMap<string, Visit>
}

/**
 * Most sets of states kept a category: a score is a function of the state, so the highest score of every session follows from these
 * alone and thresholds need no second reading. Recorded sessions make a few hundred; what comes after is only counted as transitions.
 */
const VISITS_MAX = 50_000

export const emptyTally = ({ counts }: Pick<TransitionCounter, 'counts'>): Tally => ({
  counts,
  starts: new Float64Array(counts.states),
  traces: 0,
  steps: 0,
  violations: 0,
  visits: new Map(),
})

/** Adds up sessions in constant memory. `start`: the state before the first step. */
export function createTally(
  states: number,
  start: number,
): { add: (path: SessionPath) => void; tally: Tally } {
  const counter = createCounter(states)
  const visits = new Map<string, Visit>()
  const tally: Tally = { ...emptyTally(counter), visits }
  const add = (path: SessionPath): void => {
    const posterior = path.posterior ?? knownPosterior(path)
    const steps = path.arrivals.map((to) => ({ to, arrival: to, ran: true }))
    addTotals(tally, start, countSteps(counter, start, steps, posterior))
    countVisits(path.arrivals, posterior, visits)
  }
  return { add, tally }
}

const knownPosterior = ({ arrivals, violated }: SessionPath): StepPosterior =>
  violated ? arrivals.map((_, k) => (k === arrivals.length - 1 ? 1 : 0)) : []

/** A step of a session over a state space. */
export interface CountedStep {
  /** The state after its result, if it was no violation. */
  readonly to: number
  /** Where it arrives by its proposal alone. */
  readonly arrival: number
  /** A proposal that never ran is censored: neither violation nor survival. What it moved counts all the same. */
  readonly ran: boolean
}

/** What a session adds to the totals: steps taken and violations, expected numbers. */
export type CountedTotals = Pick<Tally, 'steps' | 'violations'>

/** What is left of 1 after as many subtractions as there are steps may be rounding error. */
const ROUNDING = 1e-9

/**
 * Adds one session from the state `start` on, whose step k was the violation with probability posterior[k], to `counter`. Step k is
 * survived with the probability that no step up to it was the violation; with what is left after the last step the session ends.
 */
export function countSteps(
  counter: TransitionCounter,
  start: number,
  steps: Iterable<CountedStep>,
  posterior: StepPosterior,
): CountedTotals {
  const totals = { steps: 0, violations: 0 }
  let at = start
  let alive = 1
  let k = 0
  for (const { to, arrival, ran } of steps) {
    const violating = ran ? Math.min(alive, posterior[k] ?? 0) : 0
    k++
    if (ran) totals.steps += alive
    totals.violations += violating
    if (violating > 0) counter.violate(at, arrival, violating)
    alive = alive - violating < ROUNDING ? 0 : alive - violating
    if (alive === 0) return totals
    if (ran) counter.survive(at, to, alive)
    at = to
  }
  counter.end(at, alive)
  return totals
}

export function addTotals(tally: Tally, start: number, { steps, violations }: CountedTotals): void {
  tally.traces++
  tally.starts[start] = (tally.starts[start] ?? 0) + 1
  tally.steps += steps
  tally.violations += violations
}

/** Sets of states up to each step that may have been the violation, and up to the end. */
function countVisits(
  arrivals: readonly number[],
  posterior: StepPosterior,
  visits: Map<string, Visit>,
): void {
  const seen = new Set<number>()
  let safe = 1
  let unsafe = 0
  const record = (): void => {
    if (unsafe > 0) visitOf(seen, visits).unsafe += unsafe
    safe = safe - unsafe < ROUNDING ? 0 : safe - unsafe
    unsafe = 0
  }
  for (const [k, state] of arrivals.entries()) {
    if (!seen.has(state)) record()
    seen.add(state)
    unsafe += posterior[k] ?? 0
  }
  record()
  if (safe > 0) visitOf(seen, visits).safe += safe
}

function visitOf(seen: ReadonlySet<number>, visits: Map<string, Visit>): Visit {
  const states = [...seen].sort((a, b) => a - b)
  const key = states.join(' ')
  const visit = visits.get(key) ?? { states, safe: 0, unsafe: 0 }
  if (visits.size < VISITS_MAX) visits.set(key, visit)
  return visit
}

/** A chain's tables but for its thresholds, which need the tables first. */
export type Tables = Omit<ChainTables, 'thresholds'>

/** Significant digits of what comes later, so that a bundle is small: sessions differ by more. */
const LATER_DIGITS = 3

/**
 * What the engine looks up, from an estimate: hazards rounded to six significant digits, what comes later to `digits`, so that a bundle is
 * stable.
 */
export function tablesOf(
  estimate: Estimate,
  tally: Tally,
  {
    horizon,
    horizonMax,
    digits = LATER_DIGITS,
  }: { readonly horizon: number; readonly horizonMax: number; readonly digits?: number },
): Tables {
  const short = (value: number): number => Number(value.toPrecision(digits))
  const counts = sparseCounts(tally.counts)
  const left = new Set(counts.map(([from]) => from))
  const { stepsToViolation } = analyseAbsorption(estimate.chain)
  return {
    traces: tally.traces,
    transitions: roundedCount(tally.steps),
    violations: roundedCount(tally.violations),
    hazard: Array.from(estimate.hazard, rounded),
    forward: horizonTable(estimate.chain, horizonMax).map((row) => Array.from(row, short)),
    stepsToViolation: Array.from(stepsToViolation, (steps) => (Number.isNaN(steps) ? null : short(steps))),
    counts: counts.flatMap(([from, to, n]) => (roundedCount(n) > 0 ? [[from, to, roundedCount(n)]] : [])),
    figures: chainFigures(estimate.chain, { starts: tally.starts, left, horizon, horizonMax }),
  }
}

/** P(violated within `horizon` steps | proposed) by the state of arrival, as the engine computes and rounds it. */
export function proposedRisk({ hazard, forward }: Tables, horizon: number): number[] {
  const after = forward[horizon - 1] ?? []
  return hazard.map((h, s) => rounded(h + (1 - h) * (after[s] ?? 0)))
}

export const rounded = (value: number): number => Number(value.toPrecision(6))

/** Expected numbers are kept to a thousandth; whole numbers stay exact. */
const roundedCount = (n: number): number => Number(n.toFixed(3))

/** What became of one source's sessions. */
export interface SourceCensus {
  /** Sessions, steps and violations that were counted. */
  traces: number
  steps: number
  violations: number
  /** Steps of counted sessions that were skipped. */
  unlabelledSteps: number
  unexecutedSteps: number
  /** Sessions left out, by reason. */
  leftOut: Partial<Record<Exclusion, number>>
}

/** Sources with an entry each; the rest share the name `others`. */
const SOURCES_MAX = 64

/** Every session read is either counted or left out for a reason. */
export function createCensus(): {
  record: (trace: Trace, result: PathResult) => void
  bySource: () => Record<string, SourceCensus>
} {
  const sources = new Map<string, SourceCensus>()
  const of = (source: string): SourceCensus => {
    const name = sources.has(source) || sources.size < SOURCES_MAX ? source : 'others'
    const found = sources.get(name) ?? {
      traces: 0,
      steps: 0,
      violations: 0,
      unlabelledSteps: 0,
      unexecutedSteps: 0,
      leftOut: {},
    }
    sources.set(name, found)
    return found
  }
  const record = (trace: Trace, result: PathResult): void => {
    const census = of(trace.source)
    if ('excluded' in result) {
      census.leftOut[result.excluded] = (census.leftOut[result.excluded] ?? 0) + 1
      return
    }
    census.traces++
    census.steps += result.arrivals.length
    census.violations += result.violated || result.posterior ? 1 : 0
    census.unlabelledSteps += result.unlabelled
    census.unexecutedSteps += result.unexecuted
  }
  return { record, bySource: () => Object.fromEntries(sources) }
}

export interface CountOptions {
  readonly traces: AsyncIterable<Trace>
  readonly labelOf: Labeller
  readonly target: Target
  readonly space: Space
  /** Categories with a tally of their own. */
  readonly categories: readonly string[]
  readonly heldOut: (trace: Trace) => boolean
}

export interface Counted {
  /** Every counted session, whatever its category. */
  readonly aggregate: Tally
  readonly categories: ReadonlyMap<string, Tally>
  readonly sources: Record<string, SourceCensus>
}

/** Reads the sessions once and adds them up. */
export async function countSessions(options: CountOptions): Promise<Counted> {
  const { size, start } = options.space
  const pathOf = createPathFinder(options.labelOf, options.space, options.target)
  const aggregate = createTally(size, start)
  const categories = new Map(options.categories.map((name) => [name, createTally(size, start)]))
  const census = createCensus()
  for await (const trace of options.traces) {
    const result = options.heldOut(trace) ? ({ excluded: 'held_out' } as const) : pathOf(trace)
    census.record(trace, result)
    if ('excluded' in result) continue
    aggregate.add(result)
    categories.get(trace.category_hint)?.add(result)
  }
  const tallies = Array.from(categories, ([name, { tally }]) => [name, tally] as const)
  return { aggregate: aggregate.tally, categories: new Map(tallies), sources: census.bySource() }
}
