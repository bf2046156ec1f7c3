import { type Tied, tiedAscending } from '../ordering.js'
import type { Calibration } from './platt.js'

/** Neighbouring scores that share one fitted value. */
export interface Block {
  /** Weighted mean of their scores. */
  readonly centre: number
  readonly weight: number
  /** Weighted mean of their labels. */
  readonly mean: number
}

/** Pools adjacent violators: the blocks of the ascending step function with the least squared error. Linear in the number of scores. */
export function poolAdjacentViolators(groups: readonly Tied[]): Block[] {
  const blocks: Block[] = []
  for (const { value, weight, positive } of groups) {
    let block: Block = { centre: value, weight, mean: positive / weight }
    for (let last = blocks.at(-1); last && last.mean >= block.mean; last = blocks.at(-1)) {
      blocks.pop()
      block = joined(last, block)
    }
    blocks.push(block)
  }
  return blocks
}

/** Above this many blocks neighbours are first joined two by two: looking for the cheapest pair takes the square of their number. */
const SEARCHED_MAX = 2_048

/** At most `limit` blocks: again and again the two neighbours whose joining costs least squared error. */
export function reduceBlocks(blocks: readonly Block[], limit: number): Block[] {
  let reduced = [...blocks]
  while (reduced.length > Math.max(limit, SEARCHED_MAX)) reduced = joinPairs(reduced)
  while (reduced.length > limit) {
    const at = cheapest(reduced)
    const [a, b] = [reduced[at], reduced[at + 1]]
    if (a && b) reduced.splice(at, 2, joined(a, b))
  }
  return reduced
}

function joinPairs(blocks: readonly Block[]): Block[] {
  return blocks.flatMap((block, i) => {
    const next = blocks[i + 1]
    if (i % 2 === 1) return []
    return [next ? joined(block, next) : block]
  })
}

function cheapest(blocks: readonly Block[]): number {
  let at = 0
  let least = Infinity
  for (const [i, a] of blocks.entries()) {
    const b = blocks[i + 1]
    if (!b) break
    const cost = ((a.weight * b.weight) / (a.weight + b.weight)) * (a.mean - b.mean) ** 2
    if (cost < least) [least, at] = [cost, i]
  }
  return at
}

function joined(a: Block, b: Block): Block {
  const weight = a.weight + b.weight
  const mix = (x: number, y: number): number => (a.weight * x + b.weight * y) / weight
  return { centre: mix(a.centre, b.centre), weight, mean: mix(a.mean, b.mean) }
}

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
