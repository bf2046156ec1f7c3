import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Chain, analyseAbsorption, horizonTable } from './index.js'
import { randomChain, seededRandom, walk } from './random.js'

const SEEDS = Array.from({ length: 40 }, (_, i) => i + 1)
const HORIZON = 10
const WALKS = 20_000

/** Pʰ of the whole matrix, absorbing rows and all, by plain multiplication: shares no code with the tables. */
function power(chain: Chain, h: number): number[][] {
  const size = chain.states + chain.absorbing
  const full = Array.from({ length: size }, (_, i) =>
    Array.from({ length: size }, (_, j) => (i < chain.states ? (chain.rows[i]?.[j] ?? 0) : i === j ? 1 : 0)),
  )
  let result: number[][] = full.map((row, i) => row.map((_, j) => (i === j ? 1 : 0)))
  for (let n = 0; n < h; n++)
    result = result.map((row) =>
      full.map((_, j) => row.reduce((sum, p, k) => sum + p * (full[k]?.[j] ?? 0), 0)),
    )
  return result
}

test('P(h) is the violated column of the matrix power', () => {
  for (const seed of SEEDS) {
    const chain = randomChain(seededRandom(seed))
    const table = horizonTable(chain, HORIZON)
    for (let h = 0; h <= HORIZON; h++)
      for (const [s, row] of power(chain, h).slice(0, chain.states).entries())
        assert.ok(
          Math.abs((row[chain.states] ?? 0) - (table[h]?.[s] ?? -1)) < 1e-12,
          `seed ${seed}, h ${h}, state ${s}`,
        )
  }
})

test('absorption is certain, P(h) never falls and tends to it', () => {
  for (const seed of SEEDS) {
    const chain = randomChain(seededRandom(seed))
    const { probability } = analyseAbsorption(chain)
    const table = horizonTable(chain, 2_000)
    for (let s = 0; s < chain.states; s++) {
      const total = probability[s]?.reduce((sum, p) => sum + p, 0) ?? 0
      assert.ok(Math.abs(total - 1) < 1e-9, `seed ${seed}, state ${s}: ${total}`)
      for (let h = 1; h <= 2_000; h++) assert.ok((table[h]?.[s] ?? 0) >= (table[h - 1]?.[s] ?? 0))
      assert.ok(Math.abs((table[2_000]?.[s] ?? 0) - (probability[s]?.[0] ?? 0)) < 1e-9)
    }
  }
})

interface Sample {
  readonly violated: number
  readonly within5: number
  readonly steps: number
  readonly stepsToViolation: number
}

function sample(chain: Chain, start: number, random: () => number): Sample {
  const walks = Array.from({ length: WALKS }, () => walk(chain, start, random))
  const violated = walks.filter(({ end }) => end === 0)
  const mean = (values: { steps: number }[]) =>
    values.reduce((sum, { steps }) => sum + steps, 0) / values.length
  const within5 = violated.filter(({ steps }) => steps <= 5).length / WALKS
  return { violated: violated.length / WALKS, within5, steps: mean(walks), stepsToViolation: mean(violated) }
}

test('random chains agree with simulated sessions', () => {
  const close = (a: number, b: number, tolerance: number, what: string) =>
    assert.ok(Math.abs(a - b) < tolerance, `${what}: ${a} is not near ${b}`)
  for (const seed of SEEDS.slice(0, 12)) {
    const random = seededRandom(seed)
    const chain = randomChain(random)
    const { probability, steps, stepsToViolation } = analyseAbsorption(chain)
    const simulated = sample(chain, 0, random)
    close(probability[0]?.[0] ?? 0, simulated.violated, 0.018, `seed ${seed}, absorption`)
    close(horizonTable(chain, 5)[5]?.[0] ?? 0, simulated.within5, 0.018, `seed ${seed}, P(5)`)
    close(steps[0] ?? 0, simulated.steps, 0.05 * simulated.steps, `seed ${seed}, steps`)
    if (simulated.violated > 0.05)
      close(
        stepsToViolation[0] ?? 0,
        simulated.stepsToViolation,
        0.08 * simulated.stepsToViolation,
        `seed ${seed}, steps to it`,
      )
  }
})
