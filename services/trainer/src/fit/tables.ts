import { analyseAbsorption, horizonTable, sparseCounts, type Estimate } from '@plimsoll/chains'
import type { ChainTables } from '@plimsoll/contracts'
import type { Tally } from './tally.js'

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
