import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tryPair } from './pairs.js'
import { WRONG } from './wrong.js'

const PAIRS = 20_000

/** Checks that the comparison can fail: it must detect each wrong interpreter. */
test('random policies and sessions expose wrong interpreters', (t) => {
  const left = new Map(WRONG)
  let seed = 0
  for (; seed < PAIRS && left.size > 0; seed++)
    for (const [name, interpreter] of left) if (tryPair(seed, { interpreter }).length > 0) left.delete(name)
  t.diagnostic(`${WRONG.length} wrong interpreters, the last found out by pair ${seed}`)
  assert.deepEqual([...left.keys()], [])
})
