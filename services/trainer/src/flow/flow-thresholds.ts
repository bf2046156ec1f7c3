import type { ChainTables } from '@plimsoll/contracts'
import type { SessionScores } from '../evaluation/scores.js'
import { CATEGORIES } from '../fit/fit.js'
import {
  chooseFromPeaks,
  SAFE_SESSIONS_MIN,
  type ChosenThreshold,
  type ThresholdRules,
} from '../fit/thresholds.js'
import { createPeakCounts, type PeakCounts } from './peak-counts.js'
import type { TrainingSession } from './training.js'

/** Thresholds by kind, and what they did to the sessions that they were chosen on. */
export type FlowThresholds = Readonly<Record<keyof ChainTables['thresholds'], readonly ChosenThreshold[]>>

/** Thresholds of all sessions, and of each category with enough safe ones. */
export interface CategoryThresholds {
  readonly aggregate: FlowThresholds
  readonly of: (category: string) => FlowThresholds
}

/**
 * The highest scores of sessions, added one by one: those that inner models gave which had not seen the session's attack, up to and
 * including the violating step. Thresholds follow from them by the budgets of `rules`.
 */
export interface FlowPeaks {
  add(session: Pick<TrainingSession, 'category' | 'truth'>, scores: SessionScores): void
  choose(): CategoryThresholds
}

export function createFlowPeaks(rules: ThresholdRules): FlowPeaks {
  const all = createPeakTally()
  const own = new Map(CATEGORIES.map((name): [string, PeakTally] => [name, createPeakTally()]))
  return {
    add: ({ category, truth }, { p1, p5 }) => {
      const end = (truth.violatedAt ?? p1.length - 1) + 1
      for (const tally of [all, own.get(category)]) {
        tally?.hazard.add(highest(p1, end), truth.unsafe)
        tally?.forward.add(highest(p5, end), truth.unsafe)
      }
    },
    choose: () => {
      const aggregate = chosenFrom(all, rules)
      const enough = [...own].filter(([, { hazard }]) => hazard.safe() >= SAFE_SESSIONS_MIN)
      const chosen = new Map(enough.map(([category, tally]) => [category, chosenFrom(tally, rules)]))
      return { aggregate, of: (category) => chosen.get(category) ?? aggregate }
    },
  }
}

const highest = (values: Float64Array, end: number): number =>
  values.subarray(0, end).reduce((a, b) => Math.max(a, b), 0)

type PeakTally = Readonly<Record<keyof ChainTables['thresholds'], PeakCounts>>

const createPeakTally = (): PeakTally => ({ hazard: createPeakCounts(), forward: createPeakCounts() })

function chosenFrom(tally: PeakTally, rules: ThresholdRules): FlowThresholds {
  const choose = (kind: keyof PeakTally) => {
    const peaks = tally[kind].peaks()
    return chooseFromPeaks(
      peaks,
      peaks.map(({ score }) => score),
      rules[kind],
    )
  }
  return { hazard: choose('hazard'), forward: choose('forward') }
}
