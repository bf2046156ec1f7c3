import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test, type TestContext } from 'node:test'
import { obtainNode24 } from '../support/run/node-24.js'

const RUN_MS_MAX = 120_000
const [major = 0] = process.versions.node.split('.').map(Number)

/**
 * Declares the tests of `declare` where this is a Node 22 or later; else one test that runs `file`, which calls this, under Node 24,
 * and tells of each of its tests. Where there is none to be had that test is skipped.
 */
export async function underNode24(file: string, declare: () => Promise<void>): Promise<void> {
  if (major >= 22) {
    await declare()
    return
  }
  const node = await obtainNode24()
  if ('missing' in node) test('under Node 24', { skip: node.missing }, () => {})
  else test('under Node 24', (t) => runUnder(t, node.program, file))
}

async function runUnder(t: TestContext, program: string, file: string): Promise<void> {
  const { code, output } = await outputOf(program, file)
  const tests = [...output.matchAll(/^ *(not )?ok \d+ - (.*)$/gm)]
  for (const [, not, name = ''] of tests) await t.test(name, () => assert.equal(not, undefined, output))
  assert.equal(code, 0, output)
  assert.ok(tests.length > 0, output)
  assert.doesNotMatch(output, /^ *ok .* # (SKIP|TODO)/m)
}

function outputOf(program: string, file: string): Promise<{ code: unknown; output: string }> {
  // With it, node:test would speak to the process above as to its runner.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  return new Promise((resolve) => {
    const options = { env, timeout: RUN_MS_MAX, maxBuffer: 16 * 1024 * 1024 }
    execFile(program, ['--test-reporter=tap', file], options, (error, stdout, stderr) =>
      resolve({ code: error ? (error.code ?? error.signal) : 0, output: stdout + stderr }),
    )
  })
}
