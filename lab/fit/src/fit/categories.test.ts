import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { SHIPPED_CATEGORY_MODEL, readCategory, shippedCategoryModel } from '@plimsoll/labels'
import { CATEGORIES } from './chain/fit.js'
import { sampleTrace } from '../testing.js'
import { findTraces } from '../corpus/read-traces.js'
import { recordingOf } from '../corpus/recording.js'
import {
  CATEGORY_SEED,
  fitCategoryModel,
  categorySamples,
  fitShippedCategories,
  isHeldOutTask,
  keptRecordings,
} from './categories.js'

const folder = findTraces(process.env, fileURLToPath(new URL('../../../..', import.meta.url)))
const skip =
  folder === undefined &&
  'no recorded sessions at PLIMSOLL_TRACES or ../shared/traces: categories are not looked for in real tasks'
const FILES = ['agentdojo', 'openagentsafety', 'tau_bench', 'intercode'].map((name) =>
  join(folder ?? '', `${name}.jsonl.gz`),
)

const BYTES_MAX = 40_000

const recorded = (task: string, suite: string, source = 'sample') =>
  recordingOf(sampleTrace([], { task, suite, source, category_hint: 'sysadmin' }))

test('each task counts once an origin; a source with a suite for every task is one origin', () => {
  const few = [recorded('b', 'x'), recorded('a', 'x'), recorded('a', 'x'), recorded('a', 'y')]
  const many = Array.from({ length: 20 }, (_, n) => recorded(`task ${n}`, `suite ${n}`, 'other'))
  const samples = categorySamples([...few, ...many])
  assert.deepEqual(
    samples.filter(({ origin }) => origin !== 'other').map(({ task, origin }) => [task, origin]),
    [
      ['a', 'sample/x'],
      ['b', 'sample/x'],
      ['a', 'sample/y'],
    ],
  )
  assert.equal(samples.filter(({ origin }) => origin === 'other').length, 20)
  assert.deepEqual(categorySamples([...many, ...few].toReversed()), samples)
})

test('a task of the fold that is kept aside is not learned from, whatever attack met it', () => {
  const { about } = recorded('a', 'x')
  assert.equal(isHeldOutTask({ ...about, attackFold: 1, taskFold: 4 }), true)
  assert.equal(isHeldOutTask({ ...about, attackFold: 4, taskFold: 1 }), true)
  assert.equal(isHeldOutTask({ ...about, split: 'test' }), true)
  assert.equal(isHeldOutTask({ ...about, attackFold: 1, taskFold: 1 }), false)
})

test('the model that ships is that of the recordings, and small', { skip }, async () => {
  assert.deepEqual(
    await fitShippedCategories(FILES),
    shippedCategoryModel(),
    'fit it again: `node scripts/fit-shipped.mjs categories`',
  )
  assert.ok(statSync(SHIPPED_CATEGORY_MODEL).size < BYTES_MAX)
})

test('in a source that it has not seen it says next to nothing', { skip }, async () => {
  const samples = categorySamples(await keptRecordings(FILES))
  const sourceOf = ({ origin }: { origin: string }) => origin.split('/')[0] ?? ''
  let found = 0
  let wrong = 0
  for (const source of new Set(samples.map(sourceOf))) {
    const model = fitCategoryModel(
      samples.filter((sample) => sourceOf(sample) !== source),
      { categories: CATEGORIES, seed: CATEGORY_SEED },
    )
    for (const sample of samples.filter((sample) => sourceOf(sample) === source)) {
      const read = readCategory(sample.task, model).found
      if (read) found++
      if (read && read.category !== sample.category) wrong++
    }
  }
  assert.ok(found / samples.length < 0.06, `${found} of ${samples.length}`)
  assert.ok(wrong / samples.length < 0.02, `${wrong} of ${samples.length}`)
})
