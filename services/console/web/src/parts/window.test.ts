import assert from 'node:assert/strict'
import { test } from 'node:test'
import { windowAt } from './window.js'

test('only what is seen is drawn, and a little beyond', () => {
  assert.deepEqual(windowAt({ scrollTop: 0, clientHeight: 400 }, 40, 10_000), { from: 0, to: 22 })
  assert.deepEqual(windowAt({ scrollTop: 4_000, clientHeight: 400 }, 40, 10_000), { from: 88, to: 122 })
  assert.deepEqual(windowAt({ scrollTop: 4_000, clientHeight: 400 }, 40, 3), { from: 2, to: 3 })
  assert.deepEqual(windowAt({ scrollTop: 0, clientHeight: 400 }, 40, 0), { from: 0, to: 0 })
})
