import { bucketEdges, type TreeOptions } from '@plimsoll/chains'
import { FLOW_BUCKETS, type Flow } from '@plimsoll/contracts'
import type { SessionScores } from '../evaluation/scores.js'
import type { SessionTable } from '../features/session-table.js'
import { rounded } from '../fit/tables.js'
import { fitFlowChains, type FlowChains } from './flow-chains.js'
import { scoresIn, type FlowView, type RowScores } from './flow-scores.js'
import { fitScorer, type FittedScorer } from './scorer-fit.js'
import { HAZARD_INPUTS, STANDING_INPUTS } from './scorer-inputs.js'
import { arrivalRows, hazardRows, standingRows, type TrainingSession } from './training.js'

/** How the two scorers are grown. */
export interface FlowOptions {
  readonly hazard: TreeOptions
  readonly standing: TreeOptions
}

const GROWING = { learningRate: 0.12, lambda: 5, bins: 32, subsample: 0.7, seed: 7 }
export const FLOW_OPTIONS: FlowOptions = {
  hazard: { ...GROWING, trees: 80, depth: 4, minLeaf: 30 },
  standing: { ...GROWING, trees: 60, depth: 3, minLeaf: 60 },
}

/** A fitted model of the space `flow`. */
export interface FlowModel {
  readonly flow: Flow
  readonly chains: FlowChains
  /** Scores of any session of the table. */
  readonly score: (n: number, category: string) => SessionScores
  /** Scores of a session that it was fitted to, by inner models that were not. */
  readonly scoreTraining: (n: number, category: string) => SessionScores
}

/**
 * Fits scorers, buckets and chains to some sessions of a table. What later models build on what earlier ones say (buckets, chains,
 * thresholds) is taken from inner models that have not seen the session's attack: in-sample it would look better than it is.
 */
export function fitFlow(
  table: SessionTable,
  sessions: readonly TrainingSession[],
  options: FlowOptions = FLOW_OPTIONS,
): FlowModel {
  const hazards = hazardRows(table, sessions)
  const standings = standingRows(table, sessions)
  const hazard = fitScorer(table.steps, HAZARD_INPUTS, hazards, options.hazard)
  const standing = fitScorer(table.standings, STANDING_INPUTS, standings, options.standing)
  const { outOfFold } = standing
  const edges = bucketEdges(outOfFold, standings.labels, FLOW_BUCKETS, standings.weights).map(rounded)
  const apart: RowScores = {
    hazard: spread(hazard.outOfFold, hazards.rows, table.steps.rows),
    standing: spread(outOfFold, standings.rows, table.standings.rows),
    arrival: apartArrivals(table, sessions, standing),
  }
  const whole: RowScores = {
    hazard: hazard.predict(table.steps),
    standing: standing.predict(table.standings),
    arrival: standing.predict(table.arrivals),
  }
  const trained: FlowView = { table, edges, rows: apart }
  const view: FlowView = { table, edges, rows: whole }
  const chains = fitFlowChains(trained, sessions)
  return {
    flow: { hazard: hazard.scorer, standing: standing.scorer, edges },
    chains,
    score: (n, category) => scoresIn(view, n, chains.of(category)),
    scoreTraining: (n, category) => scoresIn(trained, n, chains.of(category)),
  }
}

function apartArrivals(
  table: SessionTable,
  sessions: readonly TrainingSession[],
  standing: FittedScorer,
): Float64Array {
  const { rows, groups } = arrivalRows(table, sessions)
  return spread(standing.predictApart(table.arrivals, rows, groups), rows, table.arrivals.rows)
}

/** Values of some rows at the places of those rows; 0 elsewhere. */
function spread(values: Float64Array, rows: Int32Array, length: number): Float64Array {
  const all = new Float64Array(length)
  for (const [at, row] of rows.entries()) all[row] = values[at] ?? 0
  return all
}
