import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bounded } from './steps.js'

const LIMITS = { argumentBytesMax: 1_000, argumentDepthMax: 8 }
const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`)

for (const [what, values, problem] of [
  ['ordinary', { to: 'ann@example.com', lines: [{ text: 'x' }] }, undefined],
  ['none', {}, undefined],
  ['as deep as may be', { at: nested(8) }, undefined],
  ['too deep', { at: nested(9) }, /deep/],
  ['far too deep', { at: nested(100_000) }, /deep/],
  ['too long', { text: 'x'.repeat(1_000) }, /longer/],
  ['too long in bytes alone', { text: 'ä'.repeat(600) }, /longer/],
] as const)
  test(`bounds arguments: ${what}`, () => {
    const found = bounded(values, LIMITS)
    if (problem) assert.match('problem' in found ? found.problem : '', problem)
    else assert.deepEqual(found, { args: values })
  })

test('copies and freezes arguments', () => {
  const lines = [{ text: 'x' }]
  const found = bounded({ lines }, LIMITS)
  lines.push({ text: 'y' })
  assert.deepEqual(found, { args: { lines: [{ text: 'x' }] } })
  assert.ok('args' in found && Array.isArray(found.args.lines) && Object.isFrozen(found.args.lines))
  assert.ok(Object.isFrozen(found.args) && Object.isFrozen(found.args.lines[0]))
})
