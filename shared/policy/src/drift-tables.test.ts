import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SPACE_SIZES, type ChainTables } from '@plimsoll/contracts'
import { driftOf, type SessionState } from '@plimsoll/engine'
import { compileRules } from './compile.js'
import { defaultDocuments } from './documents.js'
import { createDriftTables } from './drift-tables.js'
import { SAMPLE_BUNDLE, SAMPLE_CHAIN } from './sample-documents.js'

const documents = await defaultDocuments()
const { bundle } = documents
const rules = compileRules(documents)
const SIZE = SPACE_SIZES[bundle.space]

/** A generator that depends on its seed alone (Park and Miller). */
function seeded(seed: number): () => number {
  let state = seed
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
}

/** The steps behind `tables` as [from, to], each as often as it was counted. */
const stepsOf = ({ counts }: ChainTables): (readonly [number, number])[] =>
  counts.flatMap(([from, to, n]) => (to < SIZE ? Array.from({ length: n }, () => [from, to] as const) : []))

/** The mean of surprise − entropy over `draws` steps that are drawn from `steps`, as the engine tells it of sessions. */
function driftFrom(category: string, steps: readonly (readonly [number, number])[], draws = 50_000): number {
  const random = seeded(7)
  const chain = rules.chain(category)
  let total = 0
  for (let i = 0; i < draws; i++) {
    const [from, to] = steps[Math.floor(random() * steps.length)] ?? [0, 0]
    const at = (safety: number, count: number) => ({ safety, level: 0, steps: count }) as SessionState
    const drift = driftOf(at(from, 4), at(to, 5), chain)
    assert.ok(drift)
    total += drift.surprise - drift.entropy
  }
  return total / draws
}

test('sessions that go as the fitted ones did drift near 0', () => {
  assert.equal(bundle.space, 'paper60')
  assert.ok(Math.abs(driftFrom('', stepsOf(bundle.aggregate))) < 0.03)
  for (const [category, tables] of Object.entries(bundle.categories))
    assert.ok(Math.abs(driftFrom(category, stepsOf(tables))) < 0.1, category)
})

test('sessions of another kind drift clearly above it', () => {
  const found: string[] = []
  for (const [category, tables] of Object.entries(bundle.categories))
    for (const other of Object.keys(bundle.categories)) {
      const drift = driftFrom(other, stepsOf(tables), 5000)
      if (other !== category && drift > 0.3) found.push(`${category} as ${other}`)
    }
  assert.ok(found.includes('sysadmin as research_comms'), found.join())
  const wild = Array.from({ length: SIZE }, (_, to) => [0, to] as const)
  assert.ok(driftFrom('data_handling', wild) > 1)
})

test('every step has a finite surprise, and the entropy is its mean over the steps of a row', () => {
  for (const category of ['', ...Object.keys(bundle.categories)]) {
    const { surprise, entropy } = rules.chain(category)
    assert.deepEqual([surprise.length, entropy.length], [SIZE * SIZE, SIZE])
    for (const nats of surprise) assert.ok(nats >= 0 && nats < 14, String(nats))
    for (let from = 0; from < SIZE; from++) {
      const row = [...surprise.subarray(from * SIZE, (from + 1) * SIZE)].filter((nats) => nats < 13.8)
      const total = row.reduce((sum, nats) => sum + Math.exp(-nats), 0)
      const mean = row.reduce((sum, nats) => sum + nats * Math.exp(-nats), 0)
      assert.ok(Math.abs(total - 1) < 1e-3, `row ${from} sums to ${total}`)
      assert.ok(Math.abs(mean - (entropy[from] ?? 0)) < 0.02, `row ${from}`)
    }
  }
})

test('over the risk levels, with hardly a count: what can be reached is likelier than what cannot', () => {
  const { surprise, entropy } = createDriftTables(SAMPLE_BUNDLE)(SAMPLE_CHAIN)
  assert.equal(surprise.length, 25)
  for (const [from, to] of [
    [0, 4],
    [2, 2],
    [3, 4],
  ] as const)
    assert.ok((surprise[from * 5 + to] ?? 99) < (surprise[4 * 5 + 0] ?? 0), `${from} to ${to}`)
  assert.equal(entropy[4], 0, 'from the highest level there is nowhere to go')
})

test('only what exactly one step did is told', () => {
  const chain = rules.chain('')
  const at = (steps: number) => ({ safety: 0, level: 0, steps }) as SessionState
  assert.equal(driftOf(undefined, at(0), chain), undefined)
  assert.equal(driftOf(at(1), at(1), chain), undefined)
  assert.equal(driftOf(at(1), at(3), chain), undefined)
  assert.ok(driftOf(at(1), at(2), chain))
})
