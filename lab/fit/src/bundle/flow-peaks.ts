import { type ChainTables } from '@plimsoll/contracts'
import { CATEGORIES } from '../fit/chain/fit.js'
import {
  type ChosenThreshold,
  type Peak,
  type ThresholdRules,
  SAFE_SESSIONS_MIN,
  chooseFromPeaks,
  reachedAt,
} from '../fit/chain/thresholds.js'
import { type SessionScores } from '../fit/flow/flow-scores.js'
import { type TrainingSession } from '../fit/flow/training.js'

/** How many sessions have each highest score. Scores that are equal as written are one: a threshold cannot part them. */
export interface PeakCounts {
  add(score: number, unsafe: boolean): void
  /** Safe sessions so far. */
  safe(): number
  /** Highest first. */
  peaks(): Peak[]
}

/** Significant digits of a score: as in a bundle, and fewer once more scores than PEAKS_MAX differ. */
const DIGITS = [6, 4, 3] as const

/** The most distinct scores. With four digits there are hardly more. */
const PEAKS_MAX = 50_000

/** In bounded memory, and whatever the order: digits once dropped are dropped of all scores. */
export function createPeakCounts(most = PEAKS_MAX): PeakCounts {
  let counts = new Map<number, { safe: number; unsafe: number }>()
  let coarseness = 0
  let safe = 0
  const put = (score: number, safe: number, unsafe: number): void => {
    // One rounding after the other: what is added before digits are dropped and after falls together.
    const key = DIGITS.slice(0, coarseness + 1).reduce(
      (value, digits) => Number(value.toPrecision(digits)),
      score,
    )
    const found = counts.get(key)
    if (!found) counts.set(key, { safe, unsafe })
    else {
      found.safe += safe
      found.unsafe += unsafe
    }
  }
  const coarsen = (): void => {
    coarseness++
    const before = counts
    counts = new Map()
    for (const [score, { safe, unsafe }] of before) put(score, safe, unsafe)
  }
  return {
    add: (score, unsafe) => {
      safe += unsafe ? 0 : 1
      put(score, unsafe ? 0 : 1, unsafe ? 1 : 0)
      if (counts.size > most && coarseness + 1 < DIGITS.length) coarsen()
    },
    safe: () => safe,
    peaks: () =>
      Array.from(counts, ([score, { safe, unsafe }]) => ({ score, safe, unsafe })).sort(
        (a, b) => b.score - a.score,
      ),
  }
}

/** Thresholds by kind, and what they did to the sessions that they were chosen on. */
export type FlowThresholds = Readonly<Record<keyof ChainTables['thresholds'], readonly ChosenThreshold[]>>

/** Thresholds of all sessions, and of each category with enough safe ones. */
export interface CategoryThresholds {
  readonly aggregate: FlowThresholds
  readonly of: (category: string) => FlowThresholds
}

/**
 * The highest scores of sessions, added one by one: those that inner models gave which had not seen the session's attack, up to and
 * including the violating step. Thresholds follow from them by the budgets of `rules`.
 */
export interface FlowPeaks {
  add(
    session: Pick<TrainingSession, 'category' | 'truth' | 'source' | 'isAttacked'>,
    scores: SessionScores,
  ): void
  choose(): CategoryThresholds
}

export function createFlowPeaks(rules: ThresholdRules): FlowPeaks {
  const all = createPeakTally()
  const own = new Map(CATEGORIES.map((name): [string, PeakTally] => [name, createPeakTally()]))
  return {
    add: (session, { p1, p5 }) => {
      const end = (session.truth.violatedAt ?? p1.length - 1) + 1
      for (const tally of [all, own.get(session.category)])
        tally?.add(session, { hazard: highest(p1, end), forward: highest(p5, end) })
    },
    choose: () => {
      const aggregate = chosenFrom(all, rules)
      const enough = [...own].filter(([, tally]) => tally.safe() >= SAFE_SESSIONS_MIN)
      const chosen = new Map(enough.map(([category, tally]) => [category, chosenFrom(tally, rules)]))
      return { aggregate, of: (category) => chosen.get(category) ?? aggregate }
    },
  }
}

const highest = (values: Float64Array, end: number): number =>
  values.subarray(0, end).reduce((a, b) => Math.max(a, b), 0)

type Peaks = Readonly<Record<keyof ChainTables['thresholds'], PeakCounts>>
const createPeaks = (): Peaks => ({ hazard: createPeakCounts(), forward: createPeakCounts() })

/** Peaks of all sessions; and by source, those that were not attacked apart. */
interface PeakTally {
  add(
    session: Pick<TrainingSession, 'truth' | 'source' | 'isAttacked'>,
    score: Readonly<Record<keyof Peaks, number>>,
  ): void
  safe(): number
  readonly all: Peaks
  readonly bySource: ReadonlyMap<string, { readonly ordinary: Peaks; readonly every: Peaks }>
}

function createPeakTally(): PeakTally {
  const all = createPeaks()
  const bySource = new Map<string, { ordinary: Peaks; every: Peaks }>()
  return {
    all,
    bySource,
    safe: all.hazard.safe,
    add: ({ source, truth: { unsafe }, isAttacked }, score) => {
      const own = bySource.get(source) ?? { ordinary: createPeaks(), every: createPeaks() }
      bySource.set(source, own)
      for (const peaks of isAttacked ? [all, own.every] : [all, own.every, own.ordinary])
        for (const kind of ['hazard', 'forward'] as const) peaks[kind].add(score[kind], unsafe)
    },
  }
}

/** Fewer safe sessions of a source say too little about its own share of false positives. */
const SOURCE_SAFE_MIN = 100

/**
 * The budgets hold in every source with enough safe sessions, within a standard error of its share, so that one source of many does not pay
 * for another, and one session more or less does not set the threshold. They are for ordinary work: where a source has sessions
 * that were not attacked, only these count.
 */
function chosenFrom({ all, bySource }: PeakTally, rules: ThresholdRules): FlowThresholds {
  const counted = [...bySource.values()].map(({ ordinary, every }) =>
    ordinary.hazard.safe() > 0 ? ordinary : every,
  )
  const choose = (kind: keyof Peaks) => {
    const everyPeak = all[kind].peaks()
    const scores = everyPeak.map(({ score }) => score)
    const large = counted.filter((own) => own[kind].safe() >= SOURCE_SAFE_MIN)
    const chosen =
      large.length > 0
        ? large.map((own) => chooseFromPeaks(own[kind].peaks(), scores, rules[kind], 1))
        : [chooseFromPeaks(everyPeak, scores, rules[kind])]
    return rules[kind].budgets.map((_, i) =>
      reachedAt(everyPeak, Math.max(...chosen.map((own) => own[i]?.threshold ?? 1))),
    )
  }
  return { hazard: choose('hazard'), forward: choose('forward') }
}
