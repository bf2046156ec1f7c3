import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agreementOf } from './agreement.js'

type Counts = readonly [both: number, tested: number, other: number, neither: number]

const pairs = ([both, tested, other, neither]: Counts): [boolean, boolean][] => [
  ...Array.from({ length: both }, (): [boolean, boolean] => [true, true]),
  ...Array.from({ length: tested }, (): [boolean, boolean] => [true, false]),
  ...Array.from({ length: other }, (): [boolean, boolean] => [false, true]),
  ...Array.from({ length: neither }, (): [boolean, boolean] => [false, false]),
]

/** κ by hand: (share that agrees − share by chance) ÷ (1 − share by chance). */
for (const [counts, precision, recall, kappa] of [
  [[20, 5, 10, 15], 20 / 25, 20 / 30, 0.4],
  [[5, 0, 0, 5], 1, 1, 1],
  [[0, 5, 5, 0], 0, 0, -1],
  [[25, 25, 25, 25], 0.5, 0.5, 0],
  [[0, 0, 3, 7], Number.NaN, 0, 0],
  [[0, 0, 0, 9], Number.NaN, Number.NaN, Number.NaN],
] as const)
  test(`agreement of ${counts.join(', ')}`, () => {
    const figures = agreementOf(pairs(counts))
    assert.equal(figures.items, counts[0] + counts[1] + counts[2] + counts[3])
    assert.deepEqual([figures.both, figures.tested, figures.other, figures.neither], counts)
    assert.equal(figures.precision.rate, precision)
    assert.equal(figures.recall.rate, recall)
    assert.ok(Object.is(figures.kappa, kappa) || Math.abs(figures.kappa - kappa) < 1e-12, `${figures.kappa}`)
  })
