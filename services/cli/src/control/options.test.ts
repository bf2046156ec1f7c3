import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PlimsollError } from '@plimsoll/contracts'
import { operatorOf } from './options.js'

test('whoever `--by` names, else who is logged in; nobody is no operator', () => {
  assert.equal(operatorOf('grace', 'ada'), 'grace')
  assert.equal(operatorOf(undefined, 'ada'), 'ada')
  assert.throws(
    () => operatorOf(undefined, undefined),
    (error) =>
      error instanceof PlimsollError && error.code === 'usage_invalid' && /`--by`/.test(error.message),
  )
})
