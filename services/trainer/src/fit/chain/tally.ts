import {
  type Counts,
  type Estimate,
  analyseAbsorption,
  createCounter,
  horizonTable,
  sparseCounts,
} from '@plimsoll/chains'
import type { ChainTables } from '@plimsoll/contracts'
import type { SessionPath } from './session-path.js'

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
