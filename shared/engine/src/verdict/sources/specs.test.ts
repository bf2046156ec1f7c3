import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FOR_EVER } from '../../spec-rule.js'
import { judged } from '../testing.js'

test('a more severe reason counts beyond the reasons listed per tier', () => {
  const warns = Array.from({ length: 40 }, (_, i) => ({ id: `warn-${i}`, verdict: 'warn' as const }))
  const [verdict, codes] = judged('tool', {
    tools: { tool: { confirmation: [...warns, { id: 'ask' }, { id: 'more' }] } },
  })
  assert.deepEqual([verdict, codes.length, codes.at(-1)], ['confirm', 33, 'confirmation:ask'])
  const owing = { requires: { cell: 1, ...FOR_EVER } }
  const mustlist = [...warns, { id: 'block', verdict: 'block' as const }].map((each) => ({
    ...each,
    ...owing,
  }))
  assert.deepEqual(judged('tool', { tools: { tool: { mustlist } } })[0], 'block')
})
