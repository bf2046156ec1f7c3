/** 10 ** 0 … 10 ** 22: the powers of ten that a double holds exactly. */
const TENS = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`))

/**
 * Rounds to six digits: more would be noise, and every decision carries it. The same number as `Number(value.toPrecision(6))` without its
 * two texts, which cost as much as a scorer: the quotient of two exact numbers is the nearest to the decimal one.
 */
export function rounded(value: number): number {
  let exponent = 0
  while (exponent < TENS.length && value * (TENS[exponent] ?? 1) < 1e5) exponent++
  const scaled = value * (TENS[exponent] ?? 1)
  const whole = Math.round(scaled)
  // Halves are left to the exact digits of the number, and so are numbers out of the range of probabilities.
  const isPlain = scaled >= 1e5 && whole < 1e6 && Math.abs(scaled - Math.floor(scaled) - 0.5) > 1e-6
  return isPlain ? whole / (TENS[exponent] ?? 1) : Number(value.toPrecision(6))
}
