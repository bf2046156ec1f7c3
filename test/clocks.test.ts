import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { CLOCK_READERS, clockProblems } from './support/edges/clocks.js'
import { findTests } from './support/edges/files.js'
import { projectRoot } from './support/paths.js'

/** Has the texts that the check must find. */
const OWN = 'test/clocks.test.ts'
const TESTS = findTests(projectRoot).filter((file) => file !== OWN)

test('no test asserts on what a clock says', () => {
  assert.ok(TESTS.length > 300)
  const problems = TESTS.flatMap((file) =>
    clockProblems(file, readFileSync(path.join(projectRoot, file), 'utf8')),
  )
  assert.deepEqual(problems, [])
})

test('the list of tests that read a clock names no other', () => {
  assert.deepEqual(
    [...CLOCK_READERS.keys()].filter((file) => !TESTS.includes(file)),
    [],
  )
})

test('the check finds a clock', () => {
  for (const text of [
    'const started = performance.now()\nassert.ok(x)',
    'const cpu = process.cpuUsage()',
    'const at = process.hrtime.bigint()',
    'begun = time.monotonic()',
    'assert.ok(Date.now() < end)',
  ])
    assert.equal(clockProblems('a/a.test.ts', text).length, 1, text)
  const [listed = ''] = CLOCK_READERS.keys()
  assert.deepEqual(clockProblems(listed, 'const time = Date.now()\nassert.ok(time)'), [])
  assert.equal(clockProblems(listed, 'assert.ok(\n  Date.now() < end,\n)').length, 1)
  assert.equal(clockProblems(listed, 'no clock').length, 1)
})
