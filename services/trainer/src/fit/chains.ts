import type { Estimate } from '@plimsoll/chains'
import type { ChainTables } from '@plimsoll/contracts'
import type { Counted } from './count.js'
import type { Estimator } from './estimate.js'
import { proposedRisk, tablesOf } from './tables.js'
import type { Tally } from './tally.js'
import {
  chooseThresholds,
  SAFE_SESSIONS_MIN,
  type ChosenThreshold,
  type ThresholdRules,
} from './thresholds.js'

/** A chain as it goes into a bundle, and how its thresholds came about. */
export interface BuiltChain {
  readonly tables: ChainTables
  readonly chosen: Readonly<Record<keyof ChainTables['thresholds'], readonly ChosenThreshold[]>>
}

export interface BuiltChains {
  readonly aggregate: BuiltChain
  readonly categories: ReadonlyMap<string, BuiltChain>
}

interface ChainSettings {
  readonly rules: ThresholdRules
  readonly horizon: number
  readonly horizonMax: number
}

/** Estimates, tables and thresholds of every category and of the aggregate. */
export function buildChains(counted: Counted, estimator: Estimator, settings: ChainSettings): BuiltChains {
  const estimate = estimator.aggregate(counted.aggregate.counts)
  const aggregate = buildChain(counted.aggregate, estimate, settings)
  const categories = Array.from(counted.categories, ([name, tally]) => {
    const own = buildChain(tally, estimator.category(tally.counts, estimate), settings)
    return [name, isThin(tally) ? withThresholdsOf(aggregate, own) : own] as const
  })
  return { aggregate, categories: new Map(categories) }
}

function buildChain(
  tally: Tally,
  estimate: Estimate,
  { horizon, horizonMax, rules }: ChainSettings,
): BuiltChain {
  const tables = tablesOf(estimate, tally, horizonMax)
  const chosen = {
    hazard: chooseThresholds(tally, tables.hazard, rules.hazard),
    forward: chooseThresholds(tally, proposedRisk(tables, horizon), rules.forward),
  }
  const values = (thresholds: readonly ChosenThreshold[]) => thresholds.map(({ threshold }) => threshold)
  return {
    tables: { ...tables, thresholds: { hazard: values(chosen.hazard), forward: values(chosen.forward) } },
    chosen,
  }
}

const isThin = ({ traces, violations }: Tally): boolean => traces - violations < SAFE_SESSIONS_MIN

function withThresholdsOf(
  { tables: { thresholds }, chosen }: BuiltChain,
  { tables }: BuiltChain,
): BuiltChain {
  return { tables: { ...tables, thresholds }, chosen }
}
