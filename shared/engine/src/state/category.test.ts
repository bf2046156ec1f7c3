import assert from 'node:assert/strict'
import { test } from 'node:test'
import { categoryOf } from './category.js'

const found = { category: 'sysadmin', confidence: 0.95 }
const cases: readonly [
  name: string,
  reported: Partial<Parameters<typeof categoryOf>[0]>,
  expected: string,
][] = [
  ['nothing is known', {}, ''],
  ['declared', { category: 'data_handling' }, 'data_handling'],
  ['found', { found }, '~sysadmin'],
  ['declared and found: declared wins', { category: 'data_handling', found }, 'data_handling'],
  ['found in what an agent wrote', { found, inherits: { taint: 'none' } }, ''],
  ['found in a session below another root', { found, root: 'r' }, ''],
  ['its own root', { found, root: 's' }, '~sysadmin'],
  ['declared by the delegating session', { category: 'data_handling', root: 'r' }, 'data_handling'],
]
for (const [name, reported, expected] of cases)
  test(name, () => assert.equal(categoryOf({ sessionId: 's', ...reported }), expected))
