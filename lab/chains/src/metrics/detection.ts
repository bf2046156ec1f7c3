import { tiedAscending } from './auc.js'

/** n of `of` with the 95% confidence interval of the share. NaN if `of` is 0. */
export interface Proportion {
  readonly n: number
  readonly of: number
  readonly rate: number
  readonly low: number
  readonly high: number
}

/** The normal quantile of 97.5%. */
const Z95 = 1.959963984540054

/** A share with its Wilson score interval. Source: Wilson (1927); Newcombe (1998), method 3. */
export function wilson(n: number, of: number, z = Z95): Proportion {
  const rate = n / of
  const scale = 1 + (z * z) / of
  const centre = (rate + (z * z) / (2 * of)) / scale
  const half = (z / scale) * Math.sqrt((rate * (1 - rate)) / of + (z * z) / (4 * of * of))
  // The bound at 0 and 1 is exact; rounding would miss it.
  const low = n === 0 && of > 0 ? 0 : Math.max(0, centre - half)
  const high = n === of && of > 0 ? 1 : Math.min(1, centre + half)
  return { n, of, rate, low, high }
}

/** True and false positives if every score at or above the threshold raises an alarm. */
export interface Detection {
  readonly threshold: number
  readonly detection: Proportion
  readonly falsePositives: Proportion
}

/** Detection at a given threshold. */
export function detectionAt(
  scores: ArrayLike<number>,
  labels: ArrayLike<number>,
  threshold: number,
): Detection {
  const caught = { unsafe: 0, safe: 0 }
  const all = { unsafe: 0, safe: 0 }
  for (let i = 0; i < scores.length; i++) {
    const kind = labels[i] === 1 ? 'unsafe' : 'safe'
    all[kind]++
    if ((scores[i] ?? 0) >= threshold) caught[kind]++
  }
  return {
    threshold,
    detection: wilson(caught.unsafe, all.unsafe),
    falsePositives: wilson(caught.safe, all.safe),
  }
}

/**
 * The whole curve: first the point without any alarm, then one for each score from the highest down.
 *
 * @throws RangeError if lengths differ or a score is NaN
 */
export function detectionCurve(scores: ArrayLike<number>, labels: ArrayLike<number>): Detection[] {
  const groups = tiedAscending(scores, labels)
  const unsafe = groups.reduce((sum, { positive }) => sum + positive, 0)
  const safe = scores.length - unsafe
  let [caught, alarmed] = [0, 0]
  const curve = [{ threshold: Infinity, detection: wilson(0, unsafe), falsePositives: wilson(0, safe) }]
  for (const { value, weight, positive } of groups.toReversed()) {
    caught += positive
    alarmed += weight - positive
    curve.push({
      threshold: value,
      detection: wilson(caught, unsafe),
      falsePositives: wilson(alarmed, safe),
    })
  }
  return curve
}

/**
 * Detection at the lowest threshold whose false positives keep to a budget (a share, 0…1), read off the curve of the same samples.
 * Infinity, with nothing caught, if even the highest score exceeds the budget.
 *
 * @throws RangeError if lengths differ or a score is NaN
 */
export function detectionWithin(
  scores: ArrayLike<number>,
  labels: ArrayLike<number>,
  budget: number,
): Detection {
  const groups = tiedAscending(scores, labels)
  const safe = groups.reduce((sum, { weight, positive }) => sum + weight - positive, 0)
  let threshold = Infinity
  let alarmed = 0
  for (const { value, weight, positive } of groups.toReversed()) {
    alarmed += weight - positive
    if (safe > 0 && alarmed > budget * safe) break
    threshold = value
  }
  return detectionAt(scores, labels, threshold)
}
