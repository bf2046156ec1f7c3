import {
  type Interval,
  type Statistic,
  areaUnderCurve,
  bootstrapIntervals,
  createAreaUnderCurve,
} from '@plimsoll/chains'
import { groupedBy } from '@plimsoll/fit'
import { type Detected, detectedIn, scoredBy, weightedMean } from './group-figures.js'
import { mapped } from './method-fold.js'
import { type ScoreKind, type SessionRecord, SCORE_KINDS } from './session-record.js'
import { type VerdictFigures, verdictFigures, verdictStatistics } from './verdict-figures.js'
import { type WarningFigures, warningFiguresOf } from './warning-figures.js'

/** How much of each session is seen: a share of its steps, rounded up; of a violated one with a known step, of those up to that step. */
export const CUTS = ['25%', '50%', '75%', 'whole'] as const
export type Cut = (typeof CUTS)[number]

const SHARES: Readonly<Record<Cut, number>> = { '25%': 0.25, '50%': 0.5, '75%': 0.75, whole: 1 }

/** How sessions are ranked by their highest score so far. NaN where one kind of session is missing. */
export interface RankedSessions {
  /** Area under the curve: means over folds, weighted by unsafe sessions. Intervals by bootstrap over tasks. */
  readonly auc: Interval
  /** The same among the sessions of each task, over all pairs of an unsafe and a safe session of a task in a fold. */
  readonly withinTask: Interval
  readonly detected: Detected
}

/** Figures of the sessions of a source, or of one of its suites. */
export interface SessionFigures {
  readonly source: string
  /** Undefined: the whole source. */
  readonly suite?: string
  readonly tasks: number
  readonly unsafe: number
  readonly safe: number
  /** Undefined where all sessions are of one kind. */
  readonly ranked?: Readonly<Record<ScoreKind, Readonly<Record<Cut, RankedSessions>>>>
  /** Undefined where the method gives no verdicts. */
  readonly verdicts?: VerdictFigures
  /** Undefined where no violating step is known: sessions that are labelled as a whole. */
  readonly warning?: WarningFigures
}

/** The figures of each source and suite. Scores of different folds are never compared. */
export function sessionFiguresOf(folds: readonly (readonly SessionRecord[])[]): SessionFigures[] {
  return linesOf(folds.flat()).map(({ source, suite }) => {
    const isIn = (record: SessionRecord) =>
      record.source === source && (suite === undefined || record.suite === suite)
    const parts = folds.map((records) => records.filter(isIn))
    return { source, ...(suite !== undefined && { suite }), ...figuresOf(parts) }
  })
}

type Line = Pick<SessionRecord, 'source' | 'suite'>

/** Each source, followed by its suites where it has several. */
function linesOf(records: readonly SessionRecord[]): Line[] {
  const suites = groupedBy(records, ({ source }) => source)
  return [...suites].sort(byKey).flatMap(([source, members]) => {
    const names = [...new Set(members.flatMap(({ suite }) => suite ?? []))].sort()
    return [
      { source, suite: undefined },
      ...(names.length > 1 ? names.map((suite) => ({ source, suite })) : []),
    ]
  })
}

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1)

function figuresOf(folds: readonly (readonly SessionRecord[])[]): Omit<SessionFigures, 'source' | 'suite'> {
  const records = folds.flat()
  const tasks = new Map([...new Set(records.map(({ task }) => task))].map((task, n) => [task, n]))
  const placeOf = ({ task }: SessionRecord): number => tasks.get(task) ?? 0
  const unsafe = records.filter((record) => record.unsafe).length
  const counts = { tasks: tasks.size, unsafe, safe: records.length - unsafe }
  const isRanked = counts.unsafe > 0 && counts.safe > 0
  const ranks = isRanked ? SCORE_KINDS.flatMap((kind) => CUTS.map((cut) => [kind, cut] as const)) : []
  const parts = folds.filter((fold) => fold.length > 0).map((fold) => createRankedFold(fold, placeOf))
  const [verdicts, ofVerdicts] = [verdictStatistics(records, placeOf), ranks.length * 2]
  const intervals = bootstrapIntervals(tasks.size, [
    ...ranks.map(([kind, cut]) => meanArea(parts, kind, cut)),
    ...ranks.map(([kind, cut]) => areaWithinTasks(parts, kind, cut)),
    ...verdicts,
  ])
  const ranked = new Map(
    ranks.map(([kind, cut], n): [string, RankedSessions] => [
      `${kind} ${cut}`,
      {
        auc: intervals[n] ?? NONE,
        withinTask: intervals[ranks.length + n] ?? NONE,
        detected: detectedIn(scoredBy(folds, (record) => scoreAt(record, kind, cut))),
      },
    ]),
  )
  const warning = isRanked ? warningFiguresOf(folds) : undefined
  const figures = verdictFigures(records, intervals.slice(ofVerdicts))
  return {
    ...counts,
    ...(isRanked && {
      ranked: mapped(SCORE_KINDS, (kind) => mapped(CUTS, (cut) => ranked.get(`${kind} ${cut}`) ?? UNRANKED)),
    }),
    ...(figures && { verdicts: figures }),
    ...(warning && { warning }),
  }
}

const NONE: Interval = { value: Number.NaN, low: Number.NaN, high: Number.NaN }
const UNRANKED: RankedSessions = { auc: NONE, withinTask: NONE, detected: {} }

/** The highest score once the steps of the cut have run. */
export function scoreAt({ running }: SessionRecord, kind: ScoreKind, cut: Cut): number {
  const steps = running[kind].length
  return running[kind][Math.max(1, Math.ceil(SHARES[cut] * steps)) - 1] ?? 0
}

/** The sessions of one fold, prepared for areas under many weights of their tasks. */
interface RankedFold {
  /** Weight of the unsafe sessions. */
  readonly unsafe: Statistic
  readonly area: Readonly<Record<ScoreKind, Readonly<Record<Cut, Statistic>>>>
  /** Of each task with both kinds of session. */
  readonly pairs: readonly TaskPairs[]
}

interface TaskPairs {
  readonly place: number
  readonly pairs: number
  readonly area: (kind: ScoreKind, cut: Cut) => number
}

const labelsOf = (records: readonly SessionRecord[]): Uint8Array =>
  Uint8Array.from(records, ({ unsafe }) => (unsafe ? 1 : 0))
const scoresOf = (records: readonly SessionRecord[], kind: ScoreKind, cut: Cut): Float64Array =>
  Float64Array.from(records, (record) => scoreAt(record, kind, cut))

function createRankedFold(
  records: readonly SessionRecord[],
  placeOf: (record: SessionRecord) => number,
): RankedFold {
  const places = Uint32Array.from(records, placeOf)
  const labels = labelsOf(records)
  const spread = remembered((weights) => Float64Array.from(places, (place) => weights[place] ?? 0))
  const byTask = groupedBy(records, placeOf)
  return {
    unsafe: (weights) => spread(weights).reduce((sum, weight, i) => sum + weight * (labels[i] ?? 0), 0),
    area: mapped(SCORE_KINDS, (kind) =>
      mapped(CUTS, (cut): Statistic => {
        const area = createAreaUnderCurve(scoresOf(records, kind, cut), labels)
        return (weights) => area(spread(weights))
      }),
    ),
    pairs: Array.from(byTask, ([place, members]) => taskPairs(place, members)).filter(
      ({ pairs }) => pairs > 0,
    ),
  }
}

/** The last result: each figure of a draw asks for the same weights. */
function remembered(compute: Statistics): Statistics {
  let last: readonly [weights: Float64Array, computed: Float64Array] | undefined
  return (weights) => {
    if (last?.[0] !== weights) last = [weights, compute(weights)]
    return last[1]
  }
}

type Statistics = (weights: Float64Array) => Float64Array

function taskPairs(place: number, members: readonly SessionRecord[]): TaskPairs {
  const labels = labelsOf(members)
  const unsafe = labels.reduce((sum, label) => sum + label, 0)
  return {
    place,
    pairs: unsafe * (members.length - unsafe),
    area: (kind, cut) => areaUnderCurve(scoresOf(members, kind, cut), labels),
  }
}

/** Means over folds, weighted by unsafe sessions. */
const meanArea =
  (folds: readonly RankedFold[], kind: ScoreKind, cut: Cut): Statistic =>
  (weights) =>
    weightedMean(
      folds.map(({ unsafe, area }) => ({ unsafe: unsafe(weights), area: area[kind][cut](weights) })),
      ({ area }) => area,
    )

function areaWithinTasks(folds: readonly RankedFold[], kind: ScoreKind, cut: Cut): Statistic {
  const tasks = folds
    .flatMap(({ pairs }) => pairs)
    .map(({ place, pairs, area }) => ({ place, pairs, right: pairs * area(kind, cut) }))
  return (weights) => {
    let [right, all] = [0, 0]
    for (const task of tasks) {
      const weight = weights[task.place] ?? 0
      right += weight * task.right
      all += weight * task.pairs
    }
    return right / all
  }
}
