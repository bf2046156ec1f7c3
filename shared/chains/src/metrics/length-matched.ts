import { tiedAscending } from '../ordering.js'

/**
 * Area under the curve of detection against false positives: the chance that a sample with label 1 scores above one with label 0, ties
 * counting half. NaN where either kind is missing. O(n log n).
 *
 * @throws RangeError where lengths differ or a score is no number
 */
export function areaUnderCurve(
  scores: ArrayLike<number>,
  labels: ArrayLike<number>,
  weights?: ArrayLike<number>,
): number {
  let area = 0
  let unsafe = 0
  let safe = 0
  for (const { weight, positive } of tiedAscending(scores, labels, weights)) {
    const negative = weight - positive
    area += positive * (safe + negative / 2)
    unsafe += positive
    safe += negative
  }
  return area / (unsafe * safe)
}

/** An area among samples of one length each. */
export interface MatchedAuc {
  /** NaN where no sample has a partner. */
  readonly auc: number
  /** How many samples with label 1 had one with label 0 of their length. */
  readonly matched: number
  /** How many samples with label 1 there are. */
  readonly of: number
}

/**
 * The area where length tells nothing: the area within each length, averaged with the number of violated sessions of that length as its
 * weight. A length that has one kind alone says nothing and is left out. `lengths` are the steps that the score was taken over: for a
 * violated session those up to and with the violating one, for a safe one all.
 *
 * @throws RangeError where lengths differ or a score is no number
 */
export function lengthMatchedAuc(
  scores: ArrayLike<number>,
  labels: ArrayLike<number>,
  lengths: ArrayLike<number>,
): MatchedAuc {
  const strata = new Map<number, { scores: number[]; labels: number[] }>()
  for (let i = 0; i < scores.length; i++) {
    const stratum = strata.get(lengths[i] ?? 0) ?? { scores: [], labels: [] }
    stratum.scores.push(scores[i] ?? 0)
    stratum.labels.push(labels[i] ?? 0)
    strata.set(lengths[i] ?? 0, stratum)
  }
  let sum = 0
  let matched = 0
  let of = 0
  for (const stratum of strata.values()) {
    const unsafe = stratum.labels.reduce((total, label) => total + label, 0)
    of += unsafe
    if (unsafe === 0 || unsafe === stratum.labels.length) continue
    sum += unsafe * areaUnderCurve(stratum.scores, stratum.labels)
    matched += unsafe
  }
  return { auc: sum / matched, matched, of }
}

/** A session's scores by step, up to and with the violating one where it was violated. */
export interface ScoredSession {
  readonly scores: ArrayLike<number>
  readonly violated: boolean
}

/**
 * The area where both had the same chances: each violated session of n steps is compared with every safe one that is no shorter, by the
 * highest score of the first n steps of each; ties count half and each violated session weighs the same. Unlike `lengthMatchedAuc` it finds
 * partners for nearly all.
 */
export function prefixMatchedAuc(sessions: readonly ScoredSession[]): MatchedAuc {
  const violated = sessions.filter((session) => session.violated)
  const safe = sessions.filter((session) => !session.violated).map(({ scores }) => runningMaximum(scores))
  const atLength = new Map<number, Float64Array>()
  let sum = 0
  let matched = 0
  for (const { scores } of violated) {
    const n = scores.length
    const others = atLength.get(n) ?? Float64Array.from(safe.flatMap((maxima) => maxima[n - 1] ?? [])).sort()
    atLength.set(n, others)
    const own = runningMaximum(scores).at(-1)
    if (own === undefined || others.length === 0) continue
    sum += (countBelow(others, own) + countUpTo(others, own)) / (2 * others.length)
    matched++
  }
  return { auc: sum / matched, matched, of: violated.length }
}

function runningMaximum(scores: ArrayLike<number>): Float64Array {
  let highest = -Infinity
  return Float64Array.from(scores, (score) => (highest = Math.max(highest, score)))
}

const countBelow = (sorted: Float64Array, value: number): number =>
  countWhere(sorted, (other) => other < value)
const countUpTo = (sorted: Float64Array, value: number): number =>
  countWhere(sorted, (other) => other <= value)

/** How many there are at the front for which it holds. */
function countWhere(sorted: Float64Array, holds: (value: number) => boolean): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(sorted[middle] ?? 0)) low = middle + 1
    else high = middle
  }
  return low
}
