import {
  type ReliabilityBin,
  brierScore,
  brierSkill,
  calibrationError,
  reliabilityCurve,
  riskiestError,
} from '@plimsoll/chains'
import { type RecordedTruth, type SessionScores, HORIZON, groupedBy } from '@plimsoll/fit'
import { type AlarmCounts, countAlarms, noAlarms } from './alarms.js'
import {
  type Judged,
  type RankFigures,
  type Ranking,
  type Scored,
  atCall,
  rankFiguresOf,
} from './group-figures.js'
import { type SessionRecord, type StepVerdict, SCORE_KINDS } from './session-record.js'

/**
 * The probabilities whose calibration is reported. `session`: 1 − Π (1 − p1) over the steps up to the violating one, or all, against whether the
 * session turned out unsafe; of sessions that are labelled as a whole it is the only one, because no step shows what the others forecast.
 */
export const FORECAST_KINDS = [...SCORE_KINDS, 'session'] as const
export type ForecastKind = (typeof FORECAST_KINDS)[number]

/** The forecasts of one group in a fold. */
export interface GroupForecasts extends Readonly<Record<ForecastKind, Forecasts>> {
  readonly group: string
  /** Violated sessions. */
  readonly unsafe: number
}

/** Milliseconds. */
export interface Spent {
  readonly fitMs: number
  readonly scoreMs: number
}

/** What one fold gives of one method: plain data, which may come from another thread. */
export interface MethodFold {
  readonly rankings: Readonly<Record<Ranking, RankingFold>>
  readonly forecasts: readonly GroupForecasts[]
  readonly sessions: readonly SessionRecord[]
  readonly spent: Spent
}

export interface RankingFold {
  readonly all: RankFigures
  readonly groups: ReadonlyMap<string, RankFigures>
  /** What each threshold did, by its name. */
  readonly alarms: ReadonlyMap<string, AlarmCounts>
  /** The highest score of each session. */
  readonly peaks: readonly Scored[]
}

export function rankingFoldOf(
  sessions: readonly Judged[],
  thresholds: readonly NamedThreshold[],
): RankingFold {
  const groups = groupedBy(sessions, ({ group }) => group)
  return {
    all: rankFiguresOf(sessions),
    groups: new Map(Array.from(groups, ([name, members]) => [name, rankFiguresOf(members)])),
    alarms: new Map(thresholds.map(({ name, of }) => [name, alarmsOf(sessions, of)])),
    peaks: sessions.map((session) => ({ unsafe: session.unsafe, score: atCall(session) })),
  }
}

function alarmsOf(sessions: readonly Judged[], thresholdOf: NamedThreshold['of']): AlarmCounts {
  const counts = noAlarms()
  for (const session of sessions) countAlarms(counts, session, thresholdOf)
  return counts
}

/** A record with a value for each key. */
export const mapped = <K extends string, T>(keys: readonly K[], valueOf: (key: K) => T): Record<K, T> =>
  Object.fromEntries(keys.map((key) => [key, valueOf(key)])) as Record<K, T>

/** Forecasts and outcomes (1: it happened), step by step; both lists are equally long. */
export interface Forecasts {
  readonly probability: number[]
  readonly came: number[]
}

/** How well probabilities are calibrated. */
export interface CalibrationFigures {
  readonly steps: number
  /** Share of the steps in which it came. */
  readonly rate: number
  readonly brier: number
  /** 1 − brier ÷ that of forecasting `rate` each time. */
  readonly skill: number
  /** Mean distance between forecast and truth over ten bins of like many steps. */
  readonly error: number
  /** The distance in the tenth of the steps with the highest forecasts. */
  readonly riskiestTenth: number
  readonly bins: readonly ReliabilityBin[]
}

export function calibrationOf({ probability, came }: Forecasts): CalibrationFigures {
  return {
    steps: came.length,
    rate: came.reduce((sum, one) => sum + one, 0) / came.length,
    brier: brierScore(probability, came),
    skill: brierSkill(probability, came),
    error: calibrationError(probability, came),
    riskiestTenth: riskiestError(probability, came),
    bins: reliabilityCurve(probability, came),
  }
}

/**
 * Adds what was forecast in one session, and whether it came: p1 and p5 a step up to and including the violating one; p5After a result
 * before it. A proposal that never ran is censored: it forecasts nothing that could come true. Sessions that are labelled as a whole add
 * the forecast of the session alone.
 */
export function addForecasts(
  to: Readonly<Record<ForecastKind, Forecasts>>,
  scores: SessionScores,
  { unsafe, hasSteps, violatedAt, unexecuted }: RecordedTruth,
): void {
  const end = violatedAt ?? scores.p1.length - 1
  const survived = scores.p1.reduce((p, p1, i) => (i > end || unexecuted.has(i) ? p : p * (1 - p1)), 1)
  add(to.session, 1 - survived, unsafe)
  if (!hasSteps) return
  for (let i = 0; i <= end; i++) {
    if (unexecuted.has(i)) continue
    add(to.p1, scores.p1[i] ?? 0, i === violatedAt)
    add(to.p5, scores.p5[i] ?? 0, violatedAt !== undefined && violatedAt < i + HORIZON)
    if (i === violatedAt) return
    add(to.p5After, scores.p5After[i] ?? 0, violatedAt !== undefined && violatedAt <= i + HORIZON)
  }
}

function add({ probability, came }: Forecasts, value: number, isTrue: boolean): void {
  probability.push(value)
  came.push(isTrue ? 1 : 0)
}

/** A way to score sessions; sessions go by their place in the corpus. */
export interface Method {
  readonly name: string
  /** Whether it has scores of a session; of all where it is left out. Its figures are of those alone. */
  covers?(session: number): boolean
  /** Fits all that it fits to the training sessions: it sees nothing of the others. */
  fit(training: readonly number[]): Fitted
}

export interface Fitted {
  /** Scores of any session. */
  score(session: number): SessionScores
  /**
   * Scores of a training session by models that were not fitted to it, where the method has them: thresholds are chosen by these.
   * Else those of `score`.
   */
  scoreTraining?(session: number): SessionScores
  /** What the shipped policy answers to each step of a session, where the method is a bundle or becomes one. */
  verdicts?(session: number): readonly StepVerdict[]
  /** Thresholds that come with it: no others are chosen then. */
  readonly thresholds?: Readonly<Record<Ranking, readonly NamedThreshold[]>>
}

/** A threshold as the report calls it, by the category that a session declares. */
export interface NamedThreshold {
  readonly name: string
  readonly of: (category: string) => number
}
