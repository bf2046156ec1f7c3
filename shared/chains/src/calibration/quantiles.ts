import { calibrated } from './calibration.js'

/**
 * A map from the scale of one model's scores to that of another's: what is as high among `from` as a value is among `to` becomes that value,
 * equal scores as one. Never decreasing; outside of `from` as at its ends. Both are scores of the same n rows, in any order.
 *
 * @throws RangeError where they are none, or not equally many
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
    // The middle of the equal ones: where many rows share a score, they come upon what most of them score there.
    y.push(high[Math.floor((first + next - 1) / 2)] ?? 0)
  }
  return (score) => calibrated({ x, y }, score)
}
