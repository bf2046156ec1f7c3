import { type Proportion, wilson } from '@plimsoll/chains'
import { groupedBy } from '@plimsoll/fit'
import { type AlarmFigures, alarmFiguresOf, sumOfAlarms } from './alarms.js'
import {
  type RankFigures,
  type Ranking,
  type Scored,
  RANKINGS,
  averageRank,
  weightedMean,
} from './group-figures.js'
import {
  type CalibrationFigures,
  type ForecastKind,
  type Forecasts,
  type GroupForecasts,
  type MethodFold,
  type RankingFold,
  FORECAST_KINDS,
  calibrationOf,
  mapped,
} from './method-fold.js'
import { type SessionFigures, sessionFiguresOf } from './session-figures.js'

/** What one fixed threshold does to the sessions of all folds. */
export interface SweepPoint {
  readonly threshold: number
  readonly detection: Proportion
  readonly falsePositives: Proportion
}

const THRESHOLDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99] as const

export function sweepOf(sessions: readonly Scored[]): SweepPoint[] {
  const scoresOf = (unsafe: boolean) =>
    sessions.filter((session) => session.unsafe === unsafe).map(({ score }) => score)
  const [unsafe, safe] = [scoresOf(true), scoresOf(false)]
  const reached = (scores: readonly number[], threshold: number): Proportion =>
    wilson(scores.filter((score) => score >= threshold).length, scores.length)
  return THRESHOLDS.map((threshold) => ({
    threshold,
    detection: reached(unsafe, threshold),
    falsePositives: reached(safe, threshold),
  }))
}

/** How a method ranks sessions, by one of its values. */
export interface RankingFigures {
  /** Over all sessions of a fold, whatever their group. */
  readonly all: RankFigures
  /** Within groups: mean over folds and groups. */
  readonly within: RankFigures
  readonly groups: Readonly<Record<string, RankFigures>>
  /** At thresholds chosen on the training sessions, by budget; or at the method's own. */
  readonly alarms: readonly { readonly name: string; readonly figures: AlarmFigures }[]
  /** At fixed thresholds, over all folds. */
  readonly sweep: readonly SweepPoint[]
}

/** Calibration: means over folds, weighted by violated sessions; `bins` over all folds. */
export interface ForecastFigures {
  readonly all: CalibrationFigures
  readonly groups: Readonly<Record<string, Omit<CalibrationFigures, 'bins'>>>
}

export interface MethodFigures {
  readonly rankings: Readonly<Record<Ranking, RankingFigures>>
  readonly calibration: Readonly<Record<ForecastKind, ForecastFigures>>
  /** Of each source and suite. */
  readonly sessions: readonly SessionFigures[]
}

/** Draws together what the folds give; scores of different folds are never compared. */
export const figuresOf = (folds: readonly MethodFold[]): MethodFigures => ({
  rankings: mapped(RANKINGS, (name) => rankingFigures(folds.map(({ rankings }) => rankings[name]))),
  calibration: mapped(FORECAST_KINDS, (kind) =>
    forecastFigures(
      folds.map(({ forecasts }) => forecasts),
      kind,
    ),
  ),
  sessions: sessionFiguresOf(folds.map(({ sessions }) => sessions)),
})

function rankingFigures(folds: readonly RankingFold[]): RankingFigures {
  const groups = entriesByKey(folds.map((fold) => fold.groups))
  const alarms = entriesByKey(folds.map((fold) => fold.alarms))
  return {
    all: averageRank(folds.map(({ all }) => all)),
    within: averageRank([...groups.values()].flat()),
    groups: Object.fromEntries(
      [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, figures]) => [name, averageRank(figures)]),
    ),
    alarms: Array.from(alarms, ([name, counts]) => ({ name, figures: alarmFiguresOf(sumOfAlarms(counts)) })),
    sweep: sweepOf(folds.flatMap(({ peaks }) => peaks)),
  }
}

/** The values of several maps by their keys. */
function entriesByKey<T>(maps: readonly ReadonlyMap<string, T>[]): Map<string, T[]> {
  const entries = maps.flatMap((map) => [...map])
  const groups = groupedBy(entries, ([key]) => key)
  return new Map(Array.from(groups, ([key, members]) => [key, members.map(([, value]) => value)]))
}

function forecastFigures(folds: readonly (readonly GroupForecasts[])[], kind: ForecastKind): ForecastFigures {
  const perFold = folds.map((groups) => ({
    unsafe: groups.reduce((sum, { unsafe }) => sum + unsafe, 0),
    ...calibrationOf(joined(groups.map((group) => group[kind]))),
  }))
  const pooled = calibrationOf(joined(folds.flat().map((group) => group[kind])))
  const byGroup = groupedBy(folds.flat(), ({ group }) => group)
  const names = [...byGroup.keys()].sort()
  return {
    all: { ...averageCalibration(perFold), bins: pooled.bins },
    groups: Object.fromEntries(
      names.map((name) => {
        const members = byGroup.get(name) ?? []
        return [
          name,
          averageCalibration(
            members.map((group) => ({ unsafe: group.unsafe, ...calibrationOf(group[kind]) })),
          ),
        ]
      }),
    ),
  }
}

type Weighted = CalibrationFigures & { readonly unsafe: number }

function averageCalibration(figures: readonly Weighted[]): Omit<CalibrationFigures, 'bins'> {
  const mean = (pick: (figure: Weighted) => number): number => weightedMean(figures, pick)
  return {
    steps: figures.reduce((sum, { steps }) => sum + steps, 0),
    rate: mean(({ rate }) => rate),
    brier: mean(({ brier }) => brier),
    skill: mean(({ skill }) => skill),
    error: mean(({ error }) => error),
    riskiestTenth: mean(({ riskiestTenth }) => riskiestTenth),
  }
}

function joined(parts: readonly Forecasts[]): Forecasts {
  return {
    probability: parts.flatMap(({ probability }) => probability),
    came: parts.flatMap(({ came }) => came),
  }
}
