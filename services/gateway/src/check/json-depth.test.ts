import assert from 'node:assert/strict'
import { test } from 'node:test'
import { depthOfJson } from './json-depth.js'

const CASES: readonly (readonly [json: string, depth: number])[] = [
  ['', 0],
  ['1', 0],
  ['"[[[["', 0],
  ['[]', 1],
  ['{"a":[{}]}', 3],
  ['[[],[[]]]', 3],
  [String.raw`["\"[[", "\\", [1]]`, 2],
  [String.raw`{"a\\":{"b":"\\\""}}`, 2],
  ['['.repeat(100_000), 100_000],
]

for (const [json, depth] of CASES)
  test(`${json.slice(0, 20)} is ${depth} deep`, () => assert.equal(depthOfJson(Buffer.from(json)), depth))
