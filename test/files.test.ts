import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { findCode, findTests, isBesideSource } from './support/edges/files.js'
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

const LINES_MAX = 350

test('no file of code is too long to be one concept', () => {
  const files = findCode(projectRoot)
  assert.ok(files.length > 1_000)
  const linesOf = (file: string) => readFileSync(path.join(projectRoot, file), 'utf8').split('\n').length - 1
  assert.deepEqual(
    files.filter((file) => linesOf(file) > LINES_MAX),
    [],
  )
})
