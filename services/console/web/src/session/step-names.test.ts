import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Step } from '../../../src/api.js'
import { nameOf, placeOf } from './step-names.js'

const step = (number: number, eventId: string) =>
  ({ step: number, eventId, decisionId: `s#${eventId}#step` }) as Step

test('each step has a name that leads to it, also where a blocked step has the same number', () => {
  const steps = [step(1, 'a'), step(2, 'b'), step(2, 'c'), step(0, 'd'), step(3, 'e')]
  const names = steps.map((_, at) => nameOf(steps, at))
  assert.deepEqual(names, ['1', '2', 'c', 'd', '3'])
  assert.deepEqual(
    names.map((name) => placeOf(steps, name)),
    [0, 1, 2, 3, 4],
  )
})

test('a question leads to its step by its decision', () => {
  const steps = [step(1, 'a'), step(1, 'b')]
  assert.equal(placeOf(steps, 's#b#step'), 1)
  assert.equal(placeOf(steps, 'other'), -1)
  assert.equal(placeOf(steps, undefined), -1)
})
