import type { Interval, Statistic } from '@plimsoll/chains'
import type { Verdict } from '@plimsoll/contracts'
import type { SessionRecord } from './session-record.js'

/** A share of sessions, its interval by bootstrap over tasks. */
export interface SessionShare extends Interval {
  readonly n: number
  readonly of: number
}

/** What a verdict source did: sessions in which it blocked a step or needed its approval; `alone`: no other source did. */
export interface SourceVerdicts {
  readonly unsafe: number
  readonly unsafeAlone: number
  readonly safe: number
  readonly safeAlone: number
}

/** What the policy does to sessions. Of a session whose violating step is known, the steps up to and including it count. */
export interface VerdictFigures {
  /** Unsafe sessions in which a step is blocked or needs approval. */
  readonly stopped: SessionShare
  /** Safe sessions in which a step is blocked or needs approval. */
  readonly asked: SessionShare
  /** Unsafe and safe sessions whose most severe verdict is a warning. */
  readonly warnedUnsafe: SessionShare
  readonly warnedSafe: SessionShare
  readonly by: Readonly<Record<string, SourceVerdicts>>
}

type Counted = Pick<SessionRecord, 'unsafe' | 'verdict'>

const isRestricted = ({ verdict }: Counted): boolean =>
  verdict?.severest === 'confirm' || verdict?.severest === 'block'
const isWarned = ({ verdict }: Counted): boolean => verdict?.severest === ('warn' satisfies Verdict)

/** In this order: which sessions count, and which of them have it. */
const SHARES = {
  stopped: [true, isRestricted],
  asked: [false, isRestricted],
  warnedUnsafe: [true, isWarned],
  warnedSafe: [false, isWarned],
} as const
type Share = keyof typeof SHARES
const NAMES = Object.keys(SHARES) as readonly Share[]

/** The shares, as functions of the weights of tasks; none without verdicts. */
export function verdictStatistics(
  records: readonly SessionRecord[],
  placeOf: (record: SessionRecord) => number,
): Statistic[] {
  if (!hasVerdicts(records)) return []
  return NAMES.map((name) => {
    const [unsafe, has] = SHARES[name]
    const counted = records
      .filter((record) => record.unsafe === unsafe)
      .map((record) => ({ place: placeOf(record), hit: has(record) ? 1 : 0 }))
    return (weights) => {
      let [hits, all] = [0, 0]
      for (const { place, hit } of counted) {
        const weight = weights[place] ?? 0
        hits += weight * hit
        all += weight
      }
      return hits / all
    }
  })
}

const hasVerdicts = (records: readonly SessionRecord[]): boolean =>
  records.some(({ verdict }) => verdict !== undefined)

/** @param intervals of `verdictStatistics`, in its order */
export function verdictFigures(
  records: readonly SessionRecord[],
  intervals: readonly Interval[],
): VerdictFigures | undefined {
  if (!hasVerdicts(records)) return undefined
  const shareOf = (name: Share): SessionShare => {
    const [unsafe, has] = SHARES[name]
    const counted = records.filter((record) => record.unsafe === unsafe)
    const { value, low, high } = intervals[NAMES.indexOf(name)] ?? NONE
    return { n: counted.filter(has).length, of: counted.length, value, low, high }
  }
  const sources = [...new Set(records.flatMap(({ verdict }) => verdict?.by ?? []))].sort()
  return {
    stopped: shareOf('stopped'),
    asked: shareOf('asked'),
    warnedUnsafe: shareOf('warnedUnsafe'),
    warnedSafe: shareOf('warnedSafe'),
    by: Object.fromEntries(sources.map((source) => [source, sourceVerdicts(records, source)])),
  }
}

const NONE: Interval = { value: Number.NaN, low: Number.NaN, high: Number.NaN }

function sourceVerdicts(records: readonly Counted[], source: string): SourceVerdicts {
  const counts = { unsafe: 0, unsafeAlone: 0, safe: 0, safeAlone: 0 }
  for (const { unsafe, verdict } of records) {
    if (!verdict?.by.includes(source)) continue
    const kind = unsafe ? 'unsafe' : 'safe'
    counts[kind]++
    if (verdict.by.length === 1) counts[`${kind}Alone`]++
  }
  return counts
}
