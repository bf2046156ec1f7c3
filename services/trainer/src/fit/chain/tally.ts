import {
  type Counts,
  type Estimate,
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
  type Target,
  createPathFinder,
} from './session-path.js'
import type { Labeller } from '@plimsoll/labels'
import type { Space } from './space.js'
import type { Trace } from '../../corpus/trace.js'

/** How many sessions, by whether they were violated, arrived in exactly this set of states. */
export interface Visit {
  readonly states: readonly number[]
  safe: number
  unsafe: number
}

/** What one category's sessions add up to. */
export interface Tally {
  readonly counts: Counts
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

/** Adds up sessions in constant memory. `start`: the state before the first step. */
export function createTally(
  states: number,
  start: number,
): { add: (path: SessionPath) => void; tally: Tally } {
  const counter = createCounter(states)
  const visits = new Map<string, Visit>()
  const tally: Tally = { counts: counter.counts, traces: 0, steps: 0, violations: 0, visits }
  const add = (path: SessionPath): void => {
    tally.traces++
    tally.steps += path.arrivals.length
    if (path.violated) tally.violations++
    countSteps(path, start, counter)
    countVisit(path, visits)
  }
  return { add, tally }
}

function countSteps(
  { arrivals, violated }: SessionPath,
  start: number,
  counter: ReturnType<typeof createCounter>,
): void {
  let at = start
  for (const [n, to] of arrivals.entries()) {
    if (violated && n === arrivals.length - 1) return counter.violate(at, to)
    counter.survive(at, to)
    at = to
  }
  counter.end(at)
}

function countVisit({ arrivals, violated }: SessionPath, visits: Map<string, Visit>): void {
  const states = [...new Set(arrivals)].sort((a, b) => a - b)
  const key = states.join(' ')
  const visit = visits.get(key) ?? { states, safe: 0, unsafe: 0 }
  if (violated) visit.unsafe++
  else visit.safe++
  if (visits.size < VISITS_MAX) visits.set(key, visit)
}

/** A chain's tables but for its thresholds, which need the tables first. */
export type Tables = Omit<ChainTables, 'thresholds'>

/** What the engine looks up, from an estimate: every figure rounded to six significant digits, so that a bundle is small and stable. */
export function tablesOf(estimate: Estimate, tally: Tally, horizonMax: number): Tables {
  const { stepsToViolation } = analyseAbsorption(estimate.chain)
  return {
    traces: tally.traces,
    transitions: tally.steps,
    violations: tally.violations,
    hazard: Array.from(estimate.hazard, rounded),
    forward: horizonTable(estimate.chain, horizonMax).map((row) => Array.from(row, rounded)),
    stepsToViolation: Array.from(stepsToViolation, (steps) => (Number.isNaN(steps) ? null : rounded(steps))),
    counts: sparseCounts(tally.counts),
  }
}

/** P(violated within `horizon` steps | proposed) by the state of arrival, as the engine computes and rounds it. */
export function proposedRisk({ hazard, forward }: Tables, horizon: number): number[] {
  const after = forward[horizon - 1] ?? []
  return hazard.map((h, s) => rounded(h + (1 - h) * (after[s] ?? 0)))
}

export const rounded = (value: number): number => Number(value.toPrecision(6))

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
    census.violations += result.violated ? 1 : 0
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
