import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PlimsollError } from '@plimsoll/contracts'
import { createCountsCache } from './counts-cache.js'

test('counts a query once in two seconds, and again after a failure', async () => {
  let nowMs = 0
  let counted = 0
  let fails = false
  const count = async (_query: { readonly agent: string | undefined }) => {
    if (fails) throw new PlimsollError('store_unavailable', 'away')
    return ++counted
  }
  const counts = createCountsCache(count, () => nowMs)
  const of = (agent?: string) => counts({ agent })
  assert.deepEqual([await of(), await of(), await of('a')], [1, 1, 2])
  nowMs = 2_000
  assert.equal(await of(), 3)
  nowMs = 4_000
  fails = true
  await assert.rejects(of(), { code: 'store_unavailable' })
  fails = false
  assert.equal(await of(), 4)
})
