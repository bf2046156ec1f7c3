import type { Tied } from '../ordering.js'

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
