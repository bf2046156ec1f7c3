import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findTests, isBesideSource } from './support/edges/tests.js'
import { projectRoot } from './support/paths.js'

test('each test of a unit stands beside its source and has its name', () => {
  const tests = findTests(projectRoot)
  assert.ok(tests.length > 300)
  assert.deepEqual(
    tests.filter((file) => !isBesideSource(projectRoot, file)),
    [],
  )
})

test('a test without a source is found', () => {
  const isFound = (file: string) => !isBesideSource(projectRoot, file)
  assert.ok(!isFound('shared/labels/src/observer.test.ts'))
  assert.ok(!isFound('shared/labels/src/observer.partial.test.ts'))
  assert.ok(isFound('shared/labels/src/partial.test.ts'))
})
