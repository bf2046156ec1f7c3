import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeRecent, encodeRecent } from './recent-text.js'
import { VERDICTS } from './words.js'

test('hashes and verdicts read back, at the ends of their ranges too', () => {
  const hashes = [0, 1, 63, 64, 0x3fffffff, 0x40000000, 0x80000000, 0xdeadbeef, 0xffffffff]
  const recent = hashes.flatMap((hash) => VERDICTS.map((verdict) => ({ hash, verdict })))
  const text = encodeRecent(recent)
  assert.equal(text.length, 6 * recent.length)
  assert.deepEqual(decodeRecent(text), recent)
})

test('a text that is not ours does not encode to itself again', () => {
  for (const text of ['AAAAA', 'AAAAAAA', '!AAAAA', 'QAAAAA', 'AAAAA AAAAAA'])
    assert.notEqual(encodeRecent(decodeRecent(text)), text, text)
})
