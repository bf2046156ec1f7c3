import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOpenRequests } from './plugin.js'

test('refuses a principal at its cap of requests, and no other', async () => {
  const requests = createOpenRequests(2)
  const ends: (() => void)[] = []
  const wait = () => new Promise<void>((resolve) => void ends.push(resolve))
  const [first, second] = [requests.during('ann', wait), requests.during('ann', wait)]
  await assert.rejects(requests.during('ann', wait), { code: 'queue_full' })
  await requests.during('bob', async () => {})
  ends[0]?.()
  await first
  await assert.rejects(
    requests.during('ann', () => Promise.reject(new Error('mine'))),
    /mine/,
  )
  await requests.during('ann', async () => {})
  ends[1]?.()
  await second
})
