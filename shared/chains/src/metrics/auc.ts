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
