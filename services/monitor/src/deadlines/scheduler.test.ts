import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRecent } from './scheduler.js'

const entry = { id: 's', atMs: 5 }

test('what was published is published again later and later, as long as it is due', () => {
  const recent = createRecent()
  const isToPublish = (now: number) => recent.toPublish([entry], now).length === 1
  assert.ok(isToPublish(1_000))
  recent.published(entry, 1_000)
  assert.ok(!isToPublish(10_999))
  assert.ok(isToPublish(11_000))
  recent.published(entry, 11_000)
  assert.ok(!isToPublish(30_999))
  assert.ok(isToPublish(31_000))
})

test('what is due no more is forgotten; another time of the same session is another deadline', () => {
  const recent = createRecent()
  recent.toPublish([entry], 0)
  recent.published(entry, 0)
  const later = { id: 's', atMs: 9 }
  assert.deepEqual(recent.toPublish([later], 1), [later])
  assert.deepEqual(recent.toPublish([entry], 2), [entry])
})
