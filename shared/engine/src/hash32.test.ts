import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hash32 } from './hash32.js'

test('FNV-1a has its published values', () => {
  assert.equal(hash32(''), 0x811c9dc5)
  assert.equal(hash32('a'), 0xe40c292c)
  assert.equal(hash32('foobar'), 0xbf9cf968)
  assert.equal(hash32('bar', hash32('foo')), hash32('foobar'))
})
