import {
  type Calibration,
  type TreeModel,
  type TreeOptions,
  calibrated,
  fitIsotonic,
  fitTrees,
  marginsOf,
  matchQuantiles,
} from '@plimsoll/chains'
import type { Scorer } from '@plimsoll/contracts'
import { SESSION_FEATURES } from '@plimsoll/engine'
import { type Columns, byRow, narrowed } from '../features/columns.js'

/** Rows of a table that a scorer is fitted to. */
export interface ScorerRows {
  readonly rows: Int32Array
  /** 1 where what is forecast came true. */
  readonly labels: Uint8Array
  readonly weights: Float64Array
  /** Inner folds: rows of one group are never scored by what was fitted to others of it. */
  readonly groups: Uint8Array
}

/** A scorer, and for each inner fold a model that has not seen it; all share one calibration. */
export interface FittedScorer {
  readonly scorer: Scorer
  /** Probabilities of the rows that it was fitted to, each by the model that had not seen its group. */
  readonly outOfFold: Float64Array
  /** Probabilities of every row of a table of the same columns. */
  readonly predict: (table: Columns) => Float64Array
  /** Probabilities of some rows, each by the model that has not seen its group. */
  readonly predictApart: (table: Columns, rows: Int32Array, groups: Uint8Array) => Float64Array
}

/**
 * Fits boosted trees, and calibrates them on what models of the inner folds say of the groups that they have not seen: so that a
 * probability means what it says of attacks that are new.
 */
export function fitScorer(
  all: Columns,
  inputs: ScorerInputs,
  from: ScorerRows,
  growing: TreeOptions,
): FittedScorer {
  const names = Object.keys(inputs)
  const table = narrowed(all, names)
  const options = { ...growing, monotone: Object.values(inputs) }
  const { rows, labels, weights, groups } = from
  const everything = Int32Array.from(rows.keys())
  const whole = fitOn(table, from, everything, options)
  const wholeMargins = (from: Columns, rows: Int32Array) => marginsOf(whole, from.pick(rows), rows.length)
  const inner = new Map<number, Margins>()
  for (const group of new Set(groups)) {
    const others = everything.filter((at) => groups[at] !== group)
    if (!others.some((at) => labels[at] === 1)) continue
    const model = fitOn(table, from, others, options)
    inner.set(
      group,
      onScaleOf(
        wholeMargins,
        model,
        table,
        others.map((at) => rows[at] ?? 0),
      ),
    )
  }
  const margins = marginsApart(table, rows, groups, inner, wholeMargins)
  const calibration = fitIsotonic(margins, labels, weights)
  const probabilities = (values: Float64Array) => values.map((margin) => calibrated(calibration, margin))
  return {
    scorer: scorerFrom(whole, calibration, names),
    outOfFold: probabilities(margins),
    predict: (other) =>
      probabilities(byRow(narrowed(other, names), (features, n) => marginsOf(whole, features, n))),
    predictApart: (other, picked, theirs) =>
      probabilities(marginsApart(narrowed(other, names), picked, theirs, inner, wholeMargins)),
  }
}

/** Grows trees on the rows at some places of `from`, equal rows of one label as one. */
function fitOn(
  table: Columns,
  { rows, labels, weights }: ScorerRows,
  places: Int32Array,
  options: TreeOptions,
): TreeModel {
  const identities = table.identities()
  const kept = new Map<number, { row: number; label: number; weight: number }>()
  for (const at of places) {
    const row = rows[at] ?? 0
    const label = labels[at] ?? 0
    const key = 2 * (identities[row] ?? 0) + label
    const found = kept.get(key)
    if (found) found.weight += weights[at] ?? 0
    else kept.set(key, { row, label, weight: weights[at] ?? 0 })
  }
  const samples = [...kept.values()]
  return fitTrees(
    {
      features: table.pick(Int32Array.from(samples, ({ row }) => row)),
      labels: Uint8Array.from(samples, ({ label }) => label),
      weights: Float64Array.from(samples, ({ weight }) => weight),
    },
    options,
  )
}

/** Margins of some rows of a table. */
type Margins = (table: Columns, rows: Int32Array) => Float64Array

/**
 * Margins of an inner model, on the scale of the whole: by what both say of the rows that the inner one was fitted to. Without it they part
 * inner models rather than sessions, and many rows of one score would fall into another bucket than they do at run time.
 */
function onScaleOf(whole: Margins, model: TreeModel, table: Columns, fittedTo: Int32Array): Margins {
  const own: Margins = (from, rows) => marginsOf(model, from.pick(rows), rows.length)
  const toWhole = matchQuantiles(own(table, fittedTo), whole(table, fittedTo))
  return (from, rows) => own(from, rows).map(toWhole)
}

function marginsApart(
  table: Columns,
  rows: Int32Array,
  groups: Uint8Array,
  inner: ReadonlyMap<number, Margins>,
  whole: Margins,
): Float64Array {
  const margins = new Float64Array(rows.length)
  for (const group of new Set(groups)) {
    const places = placesWhere(groups, (other) => other === group)
    const picked = Int32Array.from(places, (at) => rows[at] ?? 0)
    const own = (inner.get(group) ?? whole)(table, picked)
    for (const [n, at] of places.entries()) margins[at] = own[n] ?? 0
  }
  return margins
}

function placesWhere(groups: Uint8Array, holds: (group: number) => boolean): number[] {
  const places: number[] = []
  for (const [at, group] of groups.entries()) if (holds(group)) places.push(at)
  return places
}

/** As a bundle holds it: of the features only those that some tree asks for. */
function scorerFrom({ bias, trees }: TreeModel, calibration: Calibration, names: readonly string[]): Scorer {
  const used = [...new Set(trees.flatMap(({ feature }) => feature))]
    .filter((f) => f >= 0)
    .sort((a, b) => a - b)
  const place = new Map(used.map((f, at) => [f, at]))
  return {
    features: used.map((f) => names[f] ?? ''),
    bias,
    trees: trees.map((tree) => ({ ...tree, feature: tree.feature.map((f) => place.get(f) ?? -1) })),
    calibration,
  }
}

/**
 * What a scorer may look at, and which way: 1 where more can only mean more risk, -1 less, 0 either. Few and signed on purpose: with
 * every feature and no signs, boosted trees tell the suites of the training apart and judge an attack that is new by its tools.
 */
export type ScorerInputs = Readonly<Record<string, -1 | 0 | 1>>

/**
 * Where the step's arguments come from, what its tool is named for, what it does and carries; little of the past. Of what it does only
 * whether it changes anything: neither whether it reaches out nor how far it can be taken back. The attacks of the recordings all reach out
 * and are mostly irreversible, and a harm of another kind would be taken for harmless. Source: docs/explanation/prediction.md, what is stopped.
 */
export const HAZARD_INPUTS: ScorerInputs = {
  'step.changing': 1,
  'step.exposure': 1,
  'signal.destructive': 1,
  'signal.privileged': 1,
  'signal.unreadable': 1,
  'signal.load': 1,
  'target.instructedOnly': 1,
  'target.instructedOnly.share': 1,
  'target.untrustedOnly.share': 0,
  'target.nowhere.share': 0,
  'target.task.share': -1,
  'target.trusted.share': -1,
  'name.instructedOnly': 1,
  'name.instructedOnly.share': 1,
  'name.task.share': -1,
  'reference.instructedOnly': 1,
  'reference.instructedOnly.share': 1,
  'reference.task.share': -1,
  'distinctive.instructedOnly': 1,
  'distinctive.task': -1,
  'word.instructedOnly.share': 1,
  'word.instructed.share': 1,
  'word.task.share': -1,
  'gram.instructedOnly.share': 1,
  'gram.instructed.share': 1,
  'tool.pull': 1,
  'tool.instructed.share': 1,
  'tool.task.share': -1,
  'description.pull': 1,
  'description.instructed.share': 1,
  'history.most.instructions': 1,
  'history.instructed.results': 1,
  'since.instructed.latest': -1,
  'history.after.tool': 1,
  'history.after.targets': 1,
  'history.after.words': 1,
  'history.steps.instructedOnly': 1,
}

/**
 * The whole session state but the number of its steps: the length of a session is no sign of risk. Unsigned: what a session has read
 * may mean danger in one state and not in another; signs cost early warning in suites seen and unseen.
 */
export const SESSION_INPUTS: ScorerInputs = Object.fromEntries(
  SESSION_FEATURES.filter((name) => name !== 'state.steps').map((name) => [name, 0]),
)
