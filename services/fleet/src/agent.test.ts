import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PlimsollError } from '@plimsoll/contracts'
import { whenRoom } from './agent.js'

const full = () => Promise.reject(new PlimsollError('queue_full', 'full'))

test('tries again while there is no room, and tells each time', async () => {
  let tries = 0
  let reported = 0
  const work = async () => (++tries < 3 ? full() : 'sent')
  assert.equal(await whenRoom(work, new AbortController().signal, () => void reported++), 'sent')
  assert.deepEqual([tries, reported], [3, 2])
})

test('gives up at the abort, and at any other error', async () => {
  const abort = new AbortController()
  assert.equal(await whenRoom(full, abort.signal, () => abort.abort()), undefined)
  const other = () => Promise.reject(new PlimsollError('closed', 'no more'))
  await assert.rejects(
    whenRoom(other, new AbortController().signal, () => assert.fail('it was not full')),
    /no more/,
  )
})
