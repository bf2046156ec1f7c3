import assert from 'node:assert/strict'
import { test } from 'node:test'
import { flowState, type Chain, type Move } from '@plimsoll/engine'
import { compileRules, defaultDocuments } from '@plimsoll/policy'
import { createMetrics } from '@plimsoll/runtime/metrics'
import { createDrifts } from './drifts.js'
import { createInstruments } from './instruments.js'

const documents = await defaultDocuments()
const { chain } = compileRules(documents)
const survived = (from: number, to: number): Move => ({ kind: 'survived', from, to })

/** What the metrics tell of `moves` of the category, by name and labels. */
async function toldOf(category: string, moves: readonly Move[], under: Chain = chain(category)) {
  const metrics = createMetrics({ hasProcessMetrics: false })
  const drifts = createDrifts(createInstruments(metrics))
  drifts.add(category, { category, moves }, under)
  drifts.settle()
  drifts.settle()
  const lines = (await metrics.text())
    .split('\n')
    .filter((line) => /^plimsoll_(transition|bucket)/.test(line))
  return new Map(
    lines.map((line): [string, number] => [
      line.slice(9, line.lastIndexOf(' ')),
      Number(line.split(' ').at(-1)),
    ]),
  )
}

test('the default bundle is of the space `flow`, so that drift is told over its states', () => {
  assert.equal(documents.bundle.space, 'flow')
})

test('surprise and entropy are summed over the steps that were survived, once', async () => {
  const [from, to] = [flowState(0, 0, 0), flowState(1, 1, 2)]
  const moves: Move[] = [survived(from, to), { kind: 'began', from, to: from }, survived(to, to)]
  const told = await toldOf('aggregate', moves)
  const { surprise, entropy } = chain('')
  const size = entropy.length
  assert.equal(told.get('transitions_total{category="aggregate"}'), 2)
  const near = (name: string, expected: number) =>
    assert.ok(Math.abs((told.get(`${name}{category="aggregate"}`) ?? -1) - expected) < 1e-9, name)
  near('transition_surprise_nats_total', (surprise[from * size + to] ?? 0) + (surprise[to * size + to] ?? 0))
  near('transition_entropy_nats_total', (entropy[from] ?? 0) + (entropy[to] ?? 0))
})

test('where sessions stood is told beside where they stood as the bundle was fitted: as many steps on both sides', async () => {
  const category = Object.keys(documents.bundle.categories)[0] ?? ''
  const moves = [0, 0, 3].map((bucket) => survived(flowState(0, 1, bucket), flowState(0, 1, 0)))
  const told = await toldOf(category, moves)
  const sumOf = (name: string) =>
    Array.from({ length: 8 }, (_, bucket) => told.get(`${name}{bucket="${bucket}"}`) ?? Number.NaN).reduce(
      (sum, steps) => sum + steps,
      0,
    )
  assert.equal(told.get('bucket_steps_total{bucket="0"}'), 2)
  assert.equal(told.get('bucket_steps_total{bucket="3"}'), 1)
  assert.equal(sumOf('bucket_steps_total'), 3)
  assert.ok(Math.abs(sumOf('bucket_fitted_steps_total') - 3) < 1e-9)
  const fitted = told.get('bucket_fitted_steps_total{bucket="3"}') ?? 0
  assert.ok(Math.abs(fitted - 3 * (chain(category).buckets[3] ?? 0)) < 1e-9)
})

test('outside of the space `flow` nothing is told of buckets', async () => {
  const told = await toldOf('data', [survived(0, 1)], {
    ...chain(''),
    space: 'paper60',
    buckets: new Float64Array(),
  })
  assert.deepEqual(
    [...told.keys()].filter((name) => name.startsWith('bucket')),
    [],
  )
})
