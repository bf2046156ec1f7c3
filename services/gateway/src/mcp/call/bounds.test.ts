import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boundsProblem } from './bounds.js'

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
  test(`the size of arguments: ${what}`, () => {
    const found = boundsProblem(values, LIMITS)
    if (problem) assert.match(found ?? '', problem)
    else assert.equal(found, undefined)
  })
