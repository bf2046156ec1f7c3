import { type Tied, tiedAscending } from '../metrics/auc.js'
import type { Calibration } from './calibration.js'

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

/** Above this many blocks, neighbours are first joined in pairs, because the search for the cheapest pair is quadratic. */
const SEARCHED_MAX = 2_048

/** Joins the two neighbours that cost the least squared error until at most `limit` blocks are left. */
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
  /** Points at most, from 3; 64 by default. */
  readonly points?: number
  /** Weight > 0 of the pseudo-sample at each end, in samples; 1 by default. */
  readonly prior?: number
}

/** How far the ends move towards 0 and 1, as a share, so that scores beyond the outermost block keep their order. */
const LEAN = 0.05

/** How far the end points lie outside the observed scores, as a share of their range. */
const MARGIN = 0.1

/**
 * The best-fitting ascending map from scores to probabilities, as points at the centres of its blocks. A positive pseudo-sample at the
 * lowest score and a negative one at the highest keep the map away from 0 and 1, the more so the fewer the samples. The map rises
 * strictly between the centres, so that calibration keeps the order of scores.
 *
 * @throws RangeError if there are no samples, lengths differ or an option is out of range
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
    // Centres can coincide if scores differ by less than a double resolves.
    if (x <= (calibration.x.at(-1) ?? -Infinity)) continue
    calibration.x.push(x)
    calibration.y.push(y)
  }
  return calibration
}
