import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EVENT_HASH_LENGTH, hashOfEvent } from '@plimsoll/contracts'
import { VERDICTS } from '../../labels/words.js'
import { eventOf } from '../../testing.js'
import { decodeRecent, encodeRecent, isEventHash } from './recent.js'

test('hashes and verdicts read back', () => {
  const recent = VERDICTS.map((verdict, i) => ({ hash: hashOfEvent(eventOf('step.completed', i)), verdict }))
  const text = encodeRecent(recent)
  assert.equal(text.length, (1 + EVENT_HASH_LENGTH) * recent.length)
  assert.deepEqual(decodeRecent(text), recent)
  assert.ok(recent.every(({ hash }) => isEventHash(hash)))
})

test('a text that `encodeRecent` did not write does not encode to itself', () => {
  const hash = 'A'.repeat(EVENT_HASH_LENGTH)
  for (const text of ['0', hash, `4${hash}`, `0${hash}1`, `-${hash}`, `00${hash}`])
    assert.notEqual(encodeRecent(decodeRecent(text)), text, text)
  assert.deepEqual(decodeRecent(`4${hash}`), [], 'an unknown verdict')
})

test('refuses a hash of another length or alphabet', () => {
  for (const hash of ['', 'A'.repeat(21), 'A'.repeat(23), '!'.repeat(22)])
    assert.equal(isEventHash(hash), false)
})
