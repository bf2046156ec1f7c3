/** n of `of`, and where the true share lies with 95% confidence. NaN where there was none to count. */
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
  // At the ends the bound is exact; rounding would leave it a hair off.
  const low = n === 0 && of > 0 ? 0 : Math.max(0, centre - half)
  const high = n === of && of > 0 ? 1 : Math.min(1, centre + half)
  return { n, of, rate, low, high }
}
