/** A short run of policies.long.test.ts, which also measures coverage. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explain, tryPair } from './pairs.js'

const PAIRS = 500

test(`compiled policies and the naive interpreter agree on ${PAIRS} random sessions`, () => {
  for (let seed = 0; seed < PAIRS; seed++) if (tryPair(seed).length > 0) assert.fail(explain(seed))
})
