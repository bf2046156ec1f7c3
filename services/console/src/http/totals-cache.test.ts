import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PlimsollError } from '@plimsoll/contracts'
import type { FleetTotals } from '../api.js'
import { createTotalsCache } from './totals-cache.js'

test('counts a filter once in two seconds, and again after a failure', async () => {
  let nowMs = 0
  let counted = 0
  let fails = false
  const totals = createTotalsCache(
    {
      totals: async () => {
        if (fails) throw new PlimsollError('store_unavailable', 'away')
        return { sessions: ++counted } as FleetTotals
      },
    },
    () => nowMs,
  )
  const of = async (agent?: string) => (await totals({ tenants: undefined, agent })).sessions
  assert.deepEqual([await of(), await of(), await of('a')], [1, 1, 2])
  nowMs = 2_000
  assert.equal(await of(), 3)
  nowMs = 4_000
  fails = true
  await assert.rejects(of(), { code: 'store_unavailable' })
  fails = false
  assert.equal(await of(), 4)
})
