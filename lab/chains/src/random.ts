import { type Chain, createChain } from './chain.js'

/** Numbers in [0, 1) that depend on the seed alone (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A chain of 2–9 states, about half of its entries 0, each row with a way out. For tests. */
export function randomChain(random: () => number): Chain {
  const states = 2 + Math.floor(random() * 8)
  const absorbing = random() < 0.3 ? 1 : 2
  const rows = Array.from({ length: states }, () => randomRow(states + absorbing, random))
  return createChain(rows)
}

function randomRow(length: number, random: () => number): number[] {
  const weights = Array.from({ length }, () => (random() < 0.5 ? 0 : random()))
  weights[length - 1] = 0.05 + random() * 0.3
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight) => weight / total)
}

/** One session from `start`: where it was absorbed (0 or 1) and after how many steps. For tests. */
export function walk(chain: Chain, start: number, random: () => number): { end: number; steps: number } {
  let at = start
  let steps = 0
  while (at < chain.states) {
    at = draw(chain.rows[at] ?? new Float64Array(), random())
    steps++
  }
  return { end: at - chain.states, steps }
}

function draw(row: Float64Array, point: number): number {
  let rest = point
  for (const [to, probability] of row.entries()) {
    rest -= probability
    if (rest < 0) return to
  }
  return row.length - 1
}
