/** From score to probability: piecewise linear through the points (x[i], y[i]), x ascending, flat outside them. */
export interface Calibration {
  x: number[]
  y: number[]
}

/** The probability of a score. */
export function calibrated({ x, y }: Calibration, score: number): number {
  let low = 0
  let high = x.length - 1
  if (score <= (x[low] ?? 0)) return y[low] ?? 0
  if (score >= (x[high] ?? 0)) return y[high] ?? 0
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (score < (x[middle] ?? 0)) high = middle
    else low = middle
  }
  const [x0 = 0, x1 = 0, y0 = 0, y1 = 0] = [x[low], x[high], y[low], y[high]]
  return y0 + ((y1 - y0) * (score - x0)) / (x1 - x0)
}

/**
 * Quantile mapping from the scale of one model's scores to another's; equal scores map to one value. The map never decreases and is
 * constant outside the range of `from`. Both lists score the same n rows, in any order.
 *
 * @throws RangeError if the lists are empty or differ in length
 */
export function matchQuantiles(from: Float64Array, to: Float64Array): (score: number) => number {
  const n = from.length
  if (n === 0 || to.length !== n) throw new RangeError(`expected as many scores, not ${n} and ${to.length}`)
  const [low, high] = [from.toSorted(), to.toSorted()]
  const x: number[] = []
  const y: number[] = []
  for (let first = 0, next = 0; first < n; first = next) {
    while (next < n && low[next] === low[first]) next++
    x.push(low[first] ?? 0)
    // The median of the tied rows: many rows that share a score map to the value most of them have there.
    y.push(high[Math.floor((first + next - 1) / 2)] ?? 0)
  }
  return (score) => calibrated({ x, y }, score)
}
