import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createChain, createCounter, estimateAggregate, horizonTable } from './index.js'
import { randomChain, seededRandom } from './random.js'

const SEEDS = [1, 2, 3, 4, 5, 6]
const SESSIONS = 40_000
const DENIED = 0.4
const HORIZON = 5

/** Sessions of a chain in which some proposals are denied, independent of the state: the agent stays in its state and proposes again. */
function counted(seed: number, countDenied: boolean) {
  const random = seededRandom(seed)
  const drawn = randomChain(random)
  // Always two absorbing states; some random chains have one.
  const chain = createChain(drawn.rows.map((row) => (drawn.absorbing === 2 ? [...row] : [...row, 0])))
  const counter = createCounter(chain.states)
  for (let n = 0; n < SESSIONS; n++) {
    let at = n % chain.states
    while (at < chain.states) {
      if (random() < DENIED) {
        if (countDenied) counter.survive(at, at)
        continue
      }
      const to = drawFrom(chain.rows[at] ?? new Float64Array(), random())
      if (to < chain.states) counter.survive(at, to)
      else if (to === chain.states) counter.violate(at, at)
      else counter.end(at)
      at = to
    }
  }
  const one = { kappa: 1, group: new Uint8Array(chain.states), join: (_: number, to: number) => to }
  const estimate = estimateAggregate(counter.counts, one).chain
  const [reported, true_] = [estimate, chain].map((each) => horizonTable(each, HORIZON)[HORIZON])
  const gaps = Array.from(true_ ?? [], (value, s) => (reported?.[s] ?? Number.NaN) - value)
  return { gaps, violates: (true_ ?? []).some((value) => value > 0.05) }
}

function drawFrom(row: Float64Array, point: number): number {
  let rest = point
  const to = row.findIndex((probability) => (rest -= probability) < 0)
  return to >= 0 ? to : row.findLastIndex((probability) => probability > 0)
}

test('denied proposals are left out, and the chain is that of the proposals that ran', () => {
  for (const seed of SEEDS)
    for (const [s, gap] of counted(seed, false).gaps.entries())
      assert.ok(Math.abs(gap) < 0.025, `seed ${seed}, state ${s}: ${gap}`)
})

test('counting denied proposals as survived would make every state look safer than it is', () => {
  const violating = SEEDS.map((seed) => counted(seed, true)).filter(({ violates }) => violates)
  assert.ok(violating.length >= 3)
  for (const { gaps } of violating) assert.ok(Math.min(...gaps) < -0.03, String(gaps))
})
