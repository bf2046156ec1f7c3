import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CATEGORIES } from '../fit/fit.js'
import { sampleTrace } from '../sample-traces.js'
import { recordingOf } from '../traces/recording.js'
import { categoryRows, corpusOf, declaredCategories, noCategories, wrongCategories } from './source-census.js'

const NAMES = [...CATEGORIES, 'other']
const corpus = corpusOf(
  Array.from({ length: 5000 }, (_, n) =>
    recordingOf(sampleTrace([], { category_hint: NAMES[n % NAMES.length] ?? '' })),
  ),
)
const all = corpus.recordings.map((_, n) => n)
const declared = declaredCategories(corpus)([])
const wrongOf = (share: number, seed?: number) => {
  const assigned = wrongCategories(corpus, share, seed)([])
  return all.filter((n) => assigned(n) !== declared(n))
}

test('the share of sessions that is asked for goes by another category', () => {
  for (const share of [0, 0.1, 0.4, 1]) {
    const wrong = wrongOf(share).length / all.length
    assert.ok(Math.abs(wrong - share) < 0.02, `${share}: ${wrong}`)
  }
})

test('each other category that has a chain is drawn as often', () => {
  const assigned = wrongCategories(corpus, 1)([])
  const drawn = all.filter((n) => declared(n) === 'sysadmin').map(assigned)
  for (const name of NAMES) {
    const share = drawn.filter((other) => other === name).length / drawn.length
    const expected = name === 'sysadmin' || name === 'other' ? 0 : 1 / 3
    assert.ok(Math.abs(share - expected) < 0.06, `${name}: ${share}`)
  }
})

test('what is wrong in a small share is wrong in a larger one; a seed gives the same', () => {
  const few = wrongOf(0.1)
  const many = new Set(wrongOf(0.4))
  assert.ok(few.every((n) => many.has(n)))
  assert.deepEqual(wrongOf(0.1), few)
  assert.notDeepEqual(wrongOf(0.1, 8), few)
})

test('the rows begin with what is declared and end with nothing', () => {
  const rows = categoryRows(corpus, [0.1, 0.25])
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['flow: declared', 'flow: 10% wrong', 'flow: 25% wrong', 'flow: found', 'flow: aggregate'],
  )
  assert.equal(noCategories([])(0), '')
})
