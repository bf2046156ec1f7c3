import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UNREADABLE } from '../ports/stores.js'
import { HEAD_BYTES_MAX, decodeRecord, encodeRecord } from './scripts.js'

test('a record comes back as it was', () => {
  for (const [revision, body, outbox] of [
    [1, '', ''],
    [12, 'body', ''],
    [Number.MAX_SAFE_INTEGER, 'žluť 🚢\n1 2\n', '日本'],
  ] as const) {
    const stored = Buffer.from(encodeRecord(revision, body, outbox))
    assert.deepEqual(decodeRecord(stored), { revision, body, outbox })
  }
})

test('the head of any record is within its bound', () => {
  const head = encodeRecord(Number.MAX_SAFE_INTEGER, '', '').replace(' 0', ' 536870912')
  assert.ok(head.length <= HEAD_BYTES_MAX)
})

test('recognises bytes that are no record', () => {
  for (const text of [
    '',
    '\n',
    '1 2',
    '1 5\nbody',
    'x 1\nb',
    '1 x\nb',
    '1  1\nb',
    ' 1 1\nb',
    '01 1\nb',
    '1 1 1\nb',
  ])
    assert.equal(decodeRecord(Buffer.from(text)), UNREADABLE, JSON.stringify(text))
})
