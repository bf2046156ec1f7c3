import type { ChainTables } from '@plimsoll/contracts'
import type { Tally, Visit } from './tally.js'

/** Shares of the safe training sessions that may reach each of three ascending thresholds, and values none may lie below. */
export interface ThresholdRule {
  readonly budgets: readonly [number, number, number]
  readonly floors: readonly [number, number, number]
}

export type ThresholdRules = Readonly<Record<keyof ChainTables['thresholds'], ThresholdRule>>

/** Share of the safe sessions in which a step may ask a human for its own hazard, where nothing else is said. */
export const BUDGET = 0.05

/**
 * Hazard: warn, confirm, block. Forward risk: bands 1, 2, 3. `budget` is that of the confirmation, above 0 and at most 1; the others stand
 * in a fixed proportion to it. The floors keep a category in which nothing ever happened from acting on noise, and a step from being
 * blocked unless nine in ten of its kind were the violation.
 */
export function thresholdRules(budget: number = BUDGET): ThresholdRules {
  const times = (factor: number): number => Math.min(1, Number((factor * budget).toPrecision(6)))
  return {
    hazard: { budgets: [times(4), times(1), times(0.1)], floors: [0.05, 0.2, 0.9] },
    forward: { budgets: [times(5), times(2), times(0.8)], floors: [0.1, 0.3, 0.5] },
  }
}

/** Fewer safe sessions cannot show a share of one in two hundred: the aggregate's thresholds are used. */
export const SAFE_SESSIONS_MIN = 400

/** A threshold, and what it did to the sessions it was chosen on. */
export interface ChosenThreshold {
  readonly threshold: number
  /** Shares of safe and of violated sessions that reach it. */
  readonly falsePositives: number
  readonly detection: number
}

/**
 * The lowest three of the chain's scores that safe sessions of the tally reach within the budgets, at least the floors; 1 where even
 * the highest is reached too often. A session counts with its highest score, up to and including the violating step.
 */
export function chooseThresholds(
  tally: Tally,
  score: readonly number[],
  rule: ThresholdRule,
): ChosenThreshold[] {
  return chooseFromPeaks(peaksOf(tally.visits.values(), score), score, rule)
}

/** How many sessions, safe and violated, have this highest score. */
export interface Peak {
  readonly score: number
  readonly safe: number
  readonly unsafe: number
}

/**
 * `chooseThresholds` from peaks, highest first; `scores` are those that there can be.
 *
 * @param errors standard errors of its share by which a source of few sessions may exceed a budget, 0 if not given
 */
export function chooseFromPeaks(
  peaks: readonly Peak[],
  scores: readonly number[],
  rule: ThresholdRule,
  errors = 0,
): ChosenThreshold[] {
  return rule.budgets.map((budget, n) => {
    const threshold = Math.max(lowestAbove(scores, excessive(peaks, budget, errors)), rule.floors[n] ?? 1)
    return reachedAt(peaks, threshold)
  })
}

/** Sessions by their highest score, highest first. */
function peaksOf(visits: Iterable<Visit>, score: readonly number[]): Peak[] {
  const peaks: Peak[] = []
  for (const { states, safe, unsafe } of visits) {
    const highest = states.reduce((highest, s) => Math.max(highest, score[s] ?? 0), 0)
    peaks.push({ score: highest, safe, unsafe })
  }
  return peaks.sort((a, b) => b.score - a.score)
}

/** The highest score that more safe sessions reach than the budget allows; below all where none is. */
function excessive(peaks: readonly Peak[], budget: number, errors: number): number {
  const sessions = total(peaks, 'safe')
  const allowed = budget * sessions + errors * Math.sqrt(budget * (1 - budget) * sessions)
  let safe = 0
  for (const peak of peaks) {
    safe += peak.safe
    if (safe > allowed) return peak.score
  }
  return -1
}

/** The lowest score of any state above `bound`, visited in training or not; 1 where there is none. */
const lowestAbove = (score: readonly number[], bound: number): number =>
  score.reduce((lowest, value) => (value > bound && value < lowest ? value : lowest), 1)

/** What a threshold does to these sessions. */
export function reachedAt(peaks: readonly Peak[], threshold: number): ChosenThreshold {
  const reached = peaks.filter((peak) => peak.score >= threshold)
  const share = (key: 'safe' | 'unsafe') => total(reached, key) / Math.max(1, total(peaks, key))
  return { threshold, falsePositives: share('safe'), detection: share('unsafe') }
}

const total = (peaks: readonly Peak[], key: 'safe' | 'unsafe'): number =>
  peaks.reduce((sum, peak) => sum + peak[key], 0)
