import type { TreeOptions } from '@plimsoll/chains'
import type { Conduct } from '@plimsoll/contracts'
import { CONDUCT_FEATURES } from '@plimsoll/engine'
import type { StepPosterior } from '../chain/session-path.js'
import { type Columns } from '../features/columns.js'
import type { SessionTable } from '../features/session-table.js'
import { type FittedScorer, type ScorerInputs, type ScorerRows, fitScorer } from '../flow/scorer-fit.js'
import type { TrainingSession } from '../flow/training.js'
import { balancedWeights } from './conduct-text.js'

/** Where words speak of harm, more of them can only mean more; what the steps do may mean either. */
const CONDUCT_INPUTS: ScorerInputs = Object.fromEntries(
  CONDUCT_FEATURES.map((name) => [name, /\.(?:text|texts|result)\./.test(name) ? 1 : 0]),
)

export const CONDUCT_OPTIONS: TreeOptions = {
  learningRate: 0.08,
  trees: 160,
  depth: 3,
  lambda: 5,
  bins: 48,
  minLeaf: 20,
  subsample: 0.7,
  featureShare: 0.3,
  seed: 7,
}

/** Fewer violated sessions cannot be fitted to. */
const VIOLATED_MIN = 40

/** A fitted scorer of conduct, and over how many steps its probability is spread. */
export interface FittedConduct {
  readonly conduct: Conduct
  readonly fitted: FittedScorer
}

/** Shares of a session's steps at which it is looked at. */
const LOOKS = [0.25, 0.5, 0.75, 1]

/**
 * Fits the scorer of conduct to sessions that are labelled as a whole, and to safe ones of every source: after a quarter, half, three
 * quarters and all of its steps the session's own label is what is predicted. A violation whose step is named has another cause and is left
 * out. Every source counts alike. Risks that such sessions reach too say nothing of conduct: only what is above them counts. Undefined
 * with fewer than forty violated sessions.
 */
export function fitConduct(
  table: SessionTable,
  sessions: readonly TrainingSession[],
  options: TreeOptions = CONDUCT_OPTIONS,
): FittedConduct | undefined {
  const used = sessions.filter(({ isWhole, truth }) => isWhole || !truth.unsafe)
  const violated = used.filter(({ truth }) => truth.unsafe)
  if (violated.length < VIOLATED_MIN) return undefined
  const whole = fitScorer(table.conduct, CONDUCT_INPUTS, conductRows(table, used), options)
  const fitted = cutBelow(whole, floorFrom(whole, table, sessions))
  const steps = violated.reduce((sum, { n }) => sum + table.stepsOf(n), 0) / violated.length
  return { conduct: { scorer: fitted.scorer, steps: Math.max(1, Number(steps.toFixed(1))) }, fitted }
}

/** The share of sessions with a named violating step in their source whose conduct is to count for nothing. */
const SILENT_SHARE = 0.99

/**
 * The highest risk that nearly all sessions reach at most of a source that names the violating step; 0 where there is no such source. Of several
 * sources the lowest: longer work reaches higher risks, and shorter work would be drowned.
 */
function floorFrom(fitted: FittedScorer, table: SessionTable, sessions: readonly TrainingSession[]): number {
  const named = new Set(
    sessions.flatMap(({ isWhole, truth, source }) => (!isWhole && truth.unsafe ? [source] : [])),
  )
  const floors = [...named].map((name) =>
    peakOfNearlyAll(
      fitted,
      table,
      sessions.filter(({ source }) => source === name),
    ),
  )
  const floor = floors.length === 0 ? 0 : Math.min(...floors)
  return Math.min(Number(floor.toPrecision(6)), FLOOR_MAX)
}

function peakOfNearlyAll(
  fitted: FittedScorer,
  table: SessionTable,
  sessions: readonly TrainingSession[],
): number {
  const { rows, groups } = everyConductRow(table, sessions)
  const risks = fitted.predictApart(table.conduct, rows, groups)
  let at = 0
  const peaks = Float64Array.from(sessions, ({ n }) => {
    let highest = 0
    for (const end = at + 2 * table.stepsOf(n); at < end; at++) highest = Math.max(highest, risks[at] ?? 0)
    return highest
  }).sort()
  return peaks[Math.ceil(SILENT_SHARE * peaks.length) - 1] ?? 0
}

const FLOOR_MAX = 0.9

/** The scorer whose risks up to `floor` are 0, and whose others are stretched over 0 to 1. */
export function cutBelow(fitted: FittedScorer, floor: number): FittedScorer {
  if (floor === 0) return fitted
  const above = (risk: number): number => Math.max(0, (risk - floor) / (1 - floor))
  const { x, y } = fitted.scorer.calibration
  const points = x.flatMap((margin, i): (readonly [number, number])[] => {
    const [low, high, next] = [y[i] ?? 0, y[i + 1], x[i + 1]]
    const point = [margin, above(low)] as const
    if (high === undefined || next === undefined || low >= floor || high <= floor) return [point]
    const crossing = margin + ((next - margin) * (floor - low)) / (high - low)
    return crossing > margin && crossing < next ? [point, [crossing, 0]] : [point]
  })
  const calibration = { x: points.map(([margin]) => margin), y: points.map(([, risk]) => risk) }
  return {
    scorer: { ...fitted.scorer, calibration },
    outOfFold: fitted.outOfFold.map(above),
    predict: (other) => fitted.predict(other).map(above),
    predictApart: (other, rows, groups) => fitted.predictApart(other, rows, groups).map(above),
  }
}

function conductRows(table: SessionTable, sessions: readonly TrainingSession[]): ScorerRows {
  const balanced = balancedWeights(sessions.map(({ source, truth }) => ({ source, unsafe: truth.unsafe })))
  const rows: number[] = []
  const labels: number[] = []
  const weights: number[] = []
  const groups: number[] = []
  for (const [k, { n, truth, group }] of sessions.entries()) {
    const steps = table.stepsOf(n)
    const looks = [...new Set(LOOKS.map((share) => Math.ceil(share * steps)))].filter((look) => look > 0)
    for (const look of looks)
      for (const row of [2 * (look - 1), 2 * (look - 1) + 1]) {
        rows.push(2 * table.stepAt(n) + row)
        labels.push(truth.unsafe ? 1 : 0)
        weights.push((balanced[k] ?? 0) / looks.length)
        groups.push(group)
      }
  }
  return {
    rows: Int32Array.from(rows),
    labels: Uint8Array.from(labels),
    weights: Float64Array.from(weights),
    groups: Uint8Array.from(groups),
  }
}

/** Every conduct row of some sessions, with their inner folds. */
export function everyConductRow(
  table: SessionTable,
  sessions: readonly TrainingSession[],
): Pick<ScorerRows, 'rows' | 'groups'> {
  const rows: number[] = []
  const groups: number[] = []
  for (const { n, group } of sessions)
    for (let row = 2 * table.stepAt(n); row < 2 * (table.stepAt(n) + table.stepsOf(n)); row++) {
      rows.push(row)
      groups.push(group)
    }
  return { rows: Int32Array.from(rows), groups: Uint8Array.from(groups) }
}

const STEPS = CONDUCT_FEATURES.indexOf('conduct.steps')

/** Risks of rows whose conduct was not reported are 0, as in the engine. */
export function withoutUnreported(table: Columns, risks: Float64Array): Float64Array {
  const [reported] = table.pick(Int32Array.from(risks.keys()), [STEPS])
  return risks.map((risk, row) => ((reported?.[row] ?? 0) > 0 ? risk : 0))
}

/**
 * Which step was the violation of a session that is labelled as a whole, given that there was one: in proportion to how far each step raised
 * the highest risk so far, with a small share for every step.
 *
 * @param risks of the session's conduct rows, two a step
 */
export function posteriorFrom(risks: ArrayLike<number>): StepPosterior {
  const steps = risks.length / 2
  const rises = new Float64Array(steps)
  let highest = 0
  for (let i = 0; i < steps; i++) {
    const reached = Math.max(risks[2 * i] ?? 0, risks[2 * i + 1] ?? 0)
    rises[i] = Math.max(0, reached - highest) + EVERY_STEP
    highest = Math.max(highest, reached)
  }
  const total = rises.reduce((a, b) => a + b, 0)
  return rises.map((rise) => rise / total)
}

const EVERY_STEP = 0.01
