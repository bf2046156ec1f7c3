import { LuDecomposition, Matrix } from 'ml-matrix'
import type { Chain } from './chain.js'

/** Long-run outcome of a session from each transient state; S = number of transient states. Source: SafetyDrift §5.3. */
export interface Absorption {
  /** B = N R: probability[s][a] of ending in absorbing state a (0 `violated`, 1 `ended`), S rows of 1 or 2 values. */
  readonly probability: readonly Float64Array[]
  /** N 1: mean steps until absorption, S values. */
  readonly steps: Float64Array
  /** Mean steps until the violation given that it happens, S values; NaN if it cannot happen. */
  readonly stepsToViolation: Float64Array
}

/** A violation below this probability is rounding error, and counts as impossible. */
const IMPOSSIBLE = 1e-12

/**
 * Solves (I − Q) X = [R | 1], then (I − Q) m = b for the mean of T over violated sessions: with b = P(violated),
 * m = E[T; violated] = b + Q m, and m / b is the conditional mean. Nothing is inverted.
 *
 * @throws RangeError if some state never leads to an absorbing one
 */
export function analyseAbsorption(chain: Chain): Absorption {
  const { states, absorbing } = chain
  const solve = solverOf(identityLessQ(chain))
  const right = matrixOf(chain, states, absorbing + 1, (row, column) =>
    column === absorbing ? 1 : (row[states + column] ?? 0),
  )
  const solution = solve(right)
  const violated = solution.subMatrix(0, states - 1, 0, 0)
  const weighted = solve(violated).to1DArray()
  return {
    probability: rowsOf(solution.subMatrix(0, states - 1, 0, absorbing - 1)).map((row) => row.map(clamp)),
    steps: Float64Array.from(solution.getColumn(absorbing)),
    stepsToViolation: Float64Array.from(violated.to1DArray(), (b, s) =>
      b > IMPOSSIBLE ? (weighted[s] ?? 0) / b : Number.NaN,
    ),
  }
}

/**
 * α N: how often a session visits each transient state on average before it is absorbed, S values, its first state included. `start`: S
 * probabilities of the states in which sessions begin; for one state alone it is that row of the fundamental matrix. Their sum is α N 1,
 * the mean number of steps. Source: SafetyDrift §5.3.
 *
 * @throws RangeError if some state never leads to an absorbing one
 */
export function meanVisits(chain: Chain, start: ArrayLike<number>): Float64Array {
  const solve = solverOf(identityLessQ(chain).transpose())
  return Float64Array.from(solve(Matrix.columnVector(Array.from(start))).to1DArray(), (n) => Math.max(0, n))
}

const identityLessQ = (chain: Chain): Matrix =>
  matrixOf(chain, chain.states, chain.states, (row, column, s) => (s === column ? 1 : 0) - (row[column] ?? 0))

function solverOf(matrix: Matrix): (right: Matrix) => Matrix {
  const factors = new LuDecomposition(matrix)
  if (factors.isSingular()) throw new RangeError('expected every state to lead to an absorbing one')
  return (right) => factors.solve(right)
}

type Entry = (row: Float64Array, column: number, s: number) => number

function matrixOf(chain: Chain, height: number, width: number, entry: Entry): Matrix {
  const matrix = Matrix.zeros(height, width)
  for (const [s, row] of chain.rows.entries())
    for (let column = 0; column < width; column++) matrix.set(s, column, entry(row, column, s))
  return matrix
}

const rowsOf = (matrix: Matrix): Float64Array[] => matrix.to2DArray().map((row) => Float64Array.from(row))

const clamp = (probability: number): number => Math.min(1, Math.max(0, probability))
