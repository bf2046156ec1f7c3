import { type OrderCounts, createContexts } from './model.js'

/** Whether a chain of an order fits better than one of the next lower order by more than chance would. */
export interface OrderTest {
  /** r: the next state depends on the last r states, against the last r − 1 alone. */
  readonly order: number
  /** Pearson's statistic over the transitions that have r states before them. */
  readonly chiSquare: number
  readonly degrees: number
  /** P(a statistic at least as high, if the lower order held); NaN without degrees of freedom. */
  readonly p: number
  readonly transitions: number
}

/**
 * χ² test of order r against r − 1. Within each suffix of r − 1 states, the states before it against those after it are a table of counts;
 * the test sums over these tables. Only rows and columns that occur count. Where many counts are below five, p is rough.
 * Source: Anderson and Goodman, Statistical inference about Markov chains (1957), section 4; SafetyDrift §8.1.
 *
 * @throws RangeError if `order` is not from 1 to that of the counts
 */
export function testOrder({ states, order: most, followers }: OrderCounts, order: number): OrderTest {
  if (!Number.isInteger(order) || order < 1 || order > most)
    throw new RangeError(`expected an order from 1 to ${most}`)
  const contexts = createContexts(states, most)
  const tables = new Map<number, Float64Array[]>()
  for (const [context, row] of followers) {
    if (contexts.lengthOf(context) !== order) continue
    const suffix = contexts.suffix(context, order - 1)
    tables.set(suffix, [...(tables.get(suffix) ?? []), row])
  }
  let [chiSquare, degrees, transitions] = [0, 0, 0]
  for (const rows of tables.values()) {
    const part = independence(rows)
    chiSquare += part.chiSquare
    degrees += part.degrees
    transitions += part.total
  }
  return { order, chiSquare, degrees, p: chiSquareTail(chiSquare, degrees), transitions }
}

/** Pearson's statistic of a table of counts, without its empty columns. */
function independence(rows: readonly Float64Array[]) {
  const width = rows[0]?.length ?? 0
  const columns = new Float64Array(width)
  const sums = rows.map((row) => row.reduce((sum, n) => sum + n, 0))
  for (const row of rows) for (const [to, n] of row.entries()) columns[to] = (columns[to] ?? 0) + n
  const total = sums.reduce((sum, n) => sum + n, 0)
  let chiSquare = 0
  for (const [r, row] of rows.entries())
    for (const [to, n] of row.entries()) {
      const expected = ((sums[r] ?? 0) * (columns[to] ?? 0)) / total
      if (expected > 0) chiSquare += (n - expected) ** 2 / expected
    }
  const count = (values: ArrayLike<number>) => Array.from(values).filter((n) => n > 0).length
  return { chiSquare, total, degrees: Math.max(0, count(sums) - 1) * Math.max(0, count(columns) - 1) }
}

/** P(χ² of so many degrees of freedom ≥ x): the upper regularised incomplete gamma function; NaN without degrees. */
export function chiSquareTail(x: number, degrees: number): number {
  if (degrees === 0) return Number.NaN
  if (x <= 0) return 1
  const [a, z] = [degrees / 2, x / 2]
  const scale = Math.exp(a * Math.log(z) - z - logGamma(a))
  return Math.min(1, Math.max(0, z < a + 1 ? 1 - scale * lowerSeries(a, z) : scale * upperFraction(a, z)))
}

const TERMS_MAX = 100_000
const PRECISION = 1e-14

function lowerSeries(a: number, z: number): number {
  let term = 1 / a
  let sum = term
  for (let n = 1; n < TERMS_MAX && term > sum * PRECISION; n++) {
    term *= z / (a + n)
    sum += term
  }
  return sum
}

/** Continued fraction, evaluated from the front (Lentz). */
function upperFraction(a: number, z: number): number {
  let b = z + 1 - a
  let c = 1e300
  let d = 1 / b
  let value = d
  for (let n = 1; n < TERMS_MAX; n++) {
    const numerator = -n * (n - a)
    b += 2
    d = 1 / (numerator * d + b)
    c = b + numerator / c
    value *= d * c
    if (Math.abs(d * c - 1) < PRECISION) break
  }
  return value
}

/** ln Γ(x) for x > 0: Stirling's series, shifted to where it converges. */
function logGamma(x: number): number {
  let shift = 0
  let at = x
  for (; at < 10; at++) shift -= Math.log(at)
  const inverse = 1 / at
  const series = inverse / 12 - inverse ** 3 / 360 + inverse ** 5 / 1260 - inverse ** 7 / 1680
  return shift + (at - 0.5) * Math.log(at) - at + 0.5 * Math.log(2 * Math.PI) + series
}
