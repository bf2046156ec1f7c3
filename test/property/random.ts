/** Random choices that depend on the seed alone. */
export interface Random {
  /** In [0, 1). */
  next(): number
  /** A whole number from 0 to `count` − 1. */
  below(count: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly [T, ...T[]]): T
}

/** An xorshift generator (Marsaglia 2003, 13-17-5), its seed scrambled so that neighbouring seeds do not resemble each other. */
export function createRandom(seed: number): Random {
  let state = Math.imul((seed ^ 0x9e3779b9) >>> 0, 0x85ebca6b) >>> 0 || 1
  const next = () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state / 4_294_967_296
  }
  const below = (count: number) => Math.floor(next() * count)
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: (items) => items[below(items.length)] ?? items[0],
  }
}
