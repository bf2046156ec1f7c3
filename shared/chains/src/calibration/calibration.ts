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
