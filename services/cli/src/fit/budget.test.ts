import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseBudget } from './budget.js'

test('a budget is a share above 0, to 1', () => {
  for (const [text, budget] of [
    ['0.01', 0.01],
    ['.05', 0.05],
    ['1', 1],
    [undefined, undefined],
  ] as const)
    assert.equal(parseBudget(text), budget)
  for (const text of ['0', '1.5', '5%', '-0.1', '1e-3', '', 'some', 'NaN'])
    assert.throws(() => parseBudget(text), { code: 'usage_invalid', message: /^`--budget` is a share/ }, text)
})
