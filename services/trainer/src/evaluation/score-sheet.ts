import { alarmFiguresOf, countAlarms, noAlarms, type AlarmCounts, type AlarmFigures } from './alarms.js'
import { calibrationOf, type CalibrationFigures, type Forecasts } from './calibration.js'
import type { GroupForecasts } from './evaluate.js'
import { averageRank, rankFiguresOf, weightedMean, type RankFigures } from './group-figures.js'
import { groupedBy } from './grouped.js'
import type { NamedThreshold } from './method.js'
import { RANKINGS, type Judged, type Ranking } from './judged.js'
import { sweepOf, type SweepPoint } from './sweep.js'

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
}

export type ForecastKind = 'p1' | 'p5After'

/** Gathers what the folds give and draws it together; scores of different folds are never compared. */
export function createScoreSheet() {
  const rankings = { p1: createRanking(), p5: createRanking() } satisfies Record<Ranking, unknown>
  const folds: (readonly GroupForecasts[])[] = []
  return {
    addFold: (ranking: Ranking, sessions: readonly Judged[], thresholds: readonly NamedThreshold[]): void =>
      rankings[ranking].add(sessions, thresholds),
    addForecasts: (groups: readonly GroupForecasts[]): void => void folds.push(groups),
    figures: (): MethodFigures => ({
      rankings: Object.fromEntries(RANKINGS.map((name) => [name, rankings[name].figures()])) as Record<
        Ranking,
        RankingFigures
      >,
      calibration: { p1: forecastFigures(folds, 'p1'), p5After: forecastFigures(folds, 'p5After') },
    }),
  }
}

function createRanking() {
  const all: RankFigures[] = []
  const groups = new Map<string, RankFigures[]>()
  const alarms = new Map<string, AlarmCounts>()
  const peaks: { score: number; unsafe: boolean }[] = []
  return {
    add: (sessions: readonly Judged[], thresholds: readonly NamedThreshold[]): void => {
      all.push(rankFiguresOf(sessions))
      for (const [name, members] of groupedBy(sessions, ({ group }) => group))
        groups.set(name, [...(groups.get(name) ?? []), rankFiguresOf(members)])
      for (const { name, of } of thresholds) {
        const counts = alarms.get(name) ?? noAlarms()
        alarms.set(name, counts)
        for (const session of sessions) countAlarms(counts, session, of)
      }
      for (const { unsafe, peaks: own } of sessions) peaks.push({ unsafe, score: own.at(-1) ?? 0 })
    },
    figures: (): RankingFigures => ({
      all: averageRank(all),
      within: averageRank([...groups.values()].flat()),
      groups: Object.fromEntries(
        [...groups]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, figures]) => [name, averageRank(figures)]),
      ),
      alarms: Array.from(alarms, ([name, counts]) => ({ name, figures: alarmFiguresOf(counts) })),
      sweep: sweepOf(peaks),
    }),
  }
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
