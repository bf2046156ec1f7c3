import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createArgumentDigest } from './argument-digest.js'
import { digestOf } from './canonical.js'
import { digestSchema } from './ids.js'

test('digests of arguments are equal for equal arguments under one key, and tell nothing without it', () => {
  const values = { to: 'ada@example.org', amount: 12 }
  const digest = createArgumentDigest('the key of one session')
  assert.equal(
    digest(values),
    createArgumentDigest('the key of one session')({ amount: 12, to: 'ada@example.org' }),
  )
  assert.notEqual(digest(values), digest({ ...values, amount: 13 }))
  assert.notEqual(digest(values), createArgumentDigest('the key of another')(values))
  assert.notEqual(digest(values), digestOf(values), 'whoever guesses the arguments cannot check the guess')
  assert.equal(digestSchema.safeParse(digest({})).success, true)
})
