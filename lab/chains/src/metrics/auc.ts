/** Equal values, with their sums of weight and of weight × label. */
export interface Tied {
  readonly value: number
  weight: number
  positive: number
}

/**
 * The values in ascending order with ties joined, so that no result depends on the order of its samples. Samples of weight 0 are left out.
 *
 * @throws RangeError if the lengths differ or a value is NaN
 */
export function tiedAscending(
  values: ArrayLike<number>,
  labels: ArrayLike<number>,
  weights?: ArrayLike<number>,
): Tied[] {
  const n = values.length
  if (labels.length !== n || (weights && weights.length !== n))
    throw new RangeError(`expected ${n} labels and weights`)
  const groups: Tied[] = []
  for (const i of ascending(values)) {
    const value = values[i] ?? 0
    const weight = weights?.[i] ?? 1
    if (weight <= 0) continue
    let last = groups.at(-1)
    if (last?.value !== value) groups.push((last = { value, weight: 0, positive: 0 }))
    last.weight += weight
    last.positive += weight * (labels[i] ?? 0)
  }
  return groups
}

/**
 * Area under the curve of detection against false positives: the chance that a sample with label 1 scores above one with label 0, ties
 * counting half. NaN if either label is missing. O(n log n).
 *
 * @throws RangeError if lengths differ or a score is NaN
 */
export function areaUnderCurve(
  scores: ArrayLike<number>,
  labels: ArrayLike<number>,
  weights?: ArrayLike<number>,
): number {
  return createAreaUnderCurve(scores, labels)(weights)
}

/**
 * `areaUnderCurve` of the same samples under many weights, as a bootstrap asks for it: they are sorted once, and each area then takes O(n).
 *
 * @throws RangeError if lengths differ or a score is NaN
 */
export function createAreaUnderCurve(
  scores: ArrayLike<number>,
  labels: ArrayLike<number>,
): (weights?: ArrayLike<number>) => number {
  const order = ascending(scores)
  if (labels.length !== order.length) throw new RangeError(`expected ${order.length} labels`)
  return (weights) => {
    if (weights && weights.length !== order.length) throw new RangeError(`expected ${order.length} weights`)
    let [area, unsafe, safe] = [0, 0, 0]
    let [tiedUnsafe, tiedSafe] = [0, 0]
    for (let at = 0; at < order.length; at++) {
      const i = order[at] ?? 0
      const weight = weights?.[i] ?? 1
      const positive = weight * (labels[i] ?? 0)
      tiedUnsafe += positive
      tiedSafe += weight - positive
      if (scores[order[at + 1] ?? -1] === scores[i]) continue
      area += tiedUnsafe * (safe + tiedSafe / 2)
      unsafe += tiedUnsafe
      safe += tiedSafe
      tiedUnsafe = tiedSafe = 0
    }
    return area / (unsafe * safe)
  }
}

/** Places of the values from the lowest to the highest. */
function ascending(values: ArrayLike<number>): Uint32Array {
  for (let i = 0; i < values.length; i++)
    if (Number.isNaN(values[i])) throw new RangeError('expected values that are numbers')
  return Uint32Array.from({ length: values.length }, (_, i) => i).sort(
    (a, b) => (values[a] ?? 0) - (values[b] ?? 0),
  )
}

/** An area under the curve among samples of comparable length. */
export interface MatchedAuc {
  /** NaN if no sample has a partner. */
  readonly auc: number
  /** How many samples with label 1 had a partner with label 0. */
  readonly matched: number
  /** How many samples with label 1 there are. */
  readonly of: number
}

/** A session's scores by step; of a violated session up to and including the violating step. */
export interface ScoredSession {
  readonly scores: ArrayLike<number>
  readonly violated: boolean
}

/**
 * Area under the curve without the effect of length: each violated session of n steps is compared with every safe session of at least n
 * steps, by the highest score of the first n steps of each. Ties count half, and each violated session weighs the same.
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

/** Length of the prefix for which `holds` is true. */
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
