import { tiedAscending, type Tied } from '../ordering.js'
import type { Calibration } from './calibration.js'
import { poolAdjacentViolators, reduceBlocks, type Block } from './pava.js'

export interface IsotonicOptions {
  /** Points at most, from 3; 64 where missing. */
  readonly points?: number
  /** Weight > 0 of what is imagined at each end, in samples; 1 where missing. */
  readonly prior?: number
}

/** What share of the way to 0 or to 1 the ends lean, so that scores beyond the outermost block's centre keep their order. */
const LEAN = 0.05

/** How far beyond the scores seen the ends stand, as a share of their range. */
const MARGIN = 0.1

/**
 * The ascending map from scores to probabilities that fits best, as points that the centres of its blocks give. One sample that came true
 * is imagined at the lowest score and one that did not at the highest: neither 0 nor 1 is ever said, and the fewer the samples, the
 * farther from them. Between the centres it rises throughout, so that calibrating leaves the order of scores as it was.
 *
 * @throws RangeError where there are no samples, lengths differ or an option is out of range
 */
export function fitIsotonic(
  scores: ArrayLike<number>,
  labels: ArrayLike<number>,
  weights?: ArrayLike<number>,
  { points = 64, prior = 1 }: IsotonicOptions = {},
): Calibration {
  if (!(points >= 3)) throw new RangeError('expected 3 points or more')
  if (!(prior > 0)) throw new RangeError('expected a prior above 0')
  const groups = withPrior(tiedAscending(scores, labels, weights), prior)
  const blocks = reduceBlocks(poolAdjacentViolators(groups), points - 2)
  return pointsOf(blocks, groups[0]?.value ?? 0, groups.at(-1)?.value ?? 0)
}

function withPrior(groups: Tied[], prior: number): Tied[] {
  const [first, last] = [groups[0], groups.at(-1)]
  if (!first || !last) throw new RangeError('expected samples')
  first.weight += prior
  first.positive += prior
  last.weight += prior
  return groups
}

function pointsOf(blocks: readonly Block[], lowest: number, highest: number): Calibration {
  const beyond = (highest - lowest || 1) * MARGIN
  const [first, last] = [blocks[0]?.mean ?? 0, blocks.at(-1)?.mean ?? 0]
  const points = [
    [lowest - beyond, first * (1 - LEAN)],
    ...blocks.map(({ centre, mean }) => [centre, mean]),
    [highest + beyond, last + LEAN * (1 - last)],
  ]
  const calibration: Calibration = { x: [], y: [] }
  for (const [x = 0, y = 0] of points) {
    // Centres may fall together where scores differ by less than a double tells.
    if (x <= (calibration.x.at(-1) ?? -Infinity)) continue
    calibration.x.push(x)
    calibration.y.push(y)
  }
  return calibration
}
