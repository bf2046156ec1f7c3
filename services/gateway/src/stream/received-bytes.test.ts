import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createReceivedBytes } from './received-bytes.js'

test('parts of frames and frames under way are counted, of all connections of a principal', () => {
  const principal = createReceivedBytes({ connectionMax: 10, principalMax: 40 })
  const [one, two] = [principal.open(), principal.open()]
  assert.equal(one.arrived(8), true)
  one.framed(8)
  assert.equal(one.isFull(), false)
  one.framed(4)
  assert.equal(one.isFull(), true, 'of the connection')
  one.done(4)
  assert.equal(two.arrived(12), true)
  assert.equal(one.isFull(), true, 'half of what the principal may have')
  assert.equal(two.isFull(), false, 'a connection without a frame under way has nothing to wait for')
  assert.equal(two.arrived(25), false)
  two.close()
  assert.equal(one.isFull(), false)
  one.done(8)
  assert.equal(principal.open().arrived(40), true, 'nothing is left of what was dealt with')
})
