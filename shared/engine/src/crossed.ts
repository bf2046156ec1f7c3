/** How many of the ascending `thresholds` the value has reached: a band of thresholds, a bucket of edges. */
export function crossed(value: number, thresholds: ArrayLike<number>): number {
  let count = 0
  while (count < thresholds.length && value >= (thresholds[count] ?? Infinity)) count++
  return count
}
