import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinLimits } from './limits.js'

test('limits join, and a further text lifts what it allows', () => {
  assert.equal(joinLimits(undefined, undefined), undefined)
  assert.deepEqual(joinLimits({ never: ['paaaaaaa'] }, undefined), { never: ['paaaaaaa'] })
  assert.deepEqual(
    joinLimits(
      { only: ['psrcauth'], never: ['paaaaaaa', 'pbbbbbbb'], waits: ['pscratch'] },
      { allows: ['paaaaaaa'], never: ['pccccccc'], goes: true },
    ),
    { only: ['psrcauth', 'paaaaaaa'], never: ['pbbbbbbb', 'pccccccc'] },
  )
})

test('what is allowed restricts nothing where nothing was restricted', () => {
  assert.deepEqual(joinLimits({ never: ['paaaaaaa'] }, { allows: ['pbbbbbbb'] }), { never: ['paaaaaaa'] })
})
