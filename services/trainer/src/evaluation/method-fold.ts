import { countAlarms, noAlarms, type AlarmCounts } from './alarms.js'
import type { Forecasts } from './calibration.js'
import { rankFiguresOf, type RankFigures } from './group-figures.js'
import { groupedBy } from './grouped.js'
import { atCall, type Judged, type Ranking } from './judged.js'
import type { NamedThreshold } from './method.js'
import type { Scored } from './scored.js'

/** The values whose calibration is told. */
export const FORECAST_KINDS = ['p1', 'p5', 'p5After'] as const
export type ForecastKind = (typeof FORECAST_KINDS)[number]

/** What was forecast in a fold, in one group. */
export interface GroupForecasts extends Readonly<Record<ForecastKind, Forecasts>> {
  readonly group: string
  /** Sessions whose violating step is known. */
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
