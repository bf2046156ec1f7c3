import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TRUSTED } from '../labels/safety-state.js'
import { fingerprints } from '../testing.js'
import { namesEach } from './named.js'
import { addNamedValues, addSource } from './sources.js'

test('a task names each object that it has a name for', () => {
  const read = addSource(addNamedValues('', fingerprints(0, 20)), fingerprints(40, 5), TRUSTED)
  assert.ok(namesEach(read, [fingerprints(5, 1), fingerprints(18, 4)]))
  for (const other of [fingerprints(30, 4), fingerprints(40, 2), []])
    assert.ok(!namesEach(read, [fingerprints(5, 1), other]))
})

test('a list without room for a passage leaves out some of what the task names', () => {
  const other = [fingerprints(500, 1)]
  assert.ok(namesEach(addNamedValues('', fingerprints(0, 128)), other))
  // How many passages fill the rest depends on the key.
  const withPassages = (names: number): string =>
    addNamedValues('', [...fingerprints(0, names), ...fingerprints(200, 128 - names, 'g')])
  assert.ok(!namesEach(withPassages(127), other))
  assert.ok(!namesEach(withPassages(60), other))
  // Two messages that fit say all that they name; more than are kept do not.
  const two = addNamedValues(addNamedValues('', fingerprints(0, 100)), fingerprints(100, 100))
  assert.ok(!namesEach(two, other))
  assert.ok(namesEach(addNamedValues(two, fingerprints(200, 100)), other))
})
