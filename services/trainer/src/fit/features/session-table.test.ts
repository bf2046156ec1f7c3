import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BlindStep, createStepInterner } from '../../corpus/blind.js'
import { inPrefixOrder } from './session-table.js'

const step = (tool: string, ...result: unknown[]): BlindStep => ({
  tool,
  args: {},
  result: result.length === 0 ? null : result[0],
  error: false,
})
const shared = createStepInterner()
const session = (task: string, ...steps: BlindStep[]) => shared({ task, category: 'other', steps })

test('equal steps are one, others are not', () => {
  const none = step('a', undefined)
  const { steps } = session('t', step('a'), step('a'), step('a', 1), { ...step('a'), error: true }, none)
  assert.equal(steps[0], steps[1])
  assert.equal(new Set(steps).size, 4)
})

test('sessions that begin alike follow each other, and say how far', () => {
  const traces = [
    session('x', step('a'), step('b'), step('c')),
    session('y', step('a'), step('b')),
    session('x', step('a'), step('b'), step('d')),
    session('x'),
    session('x', step('a'), step('b'), step('c')),
  ]
  const placed = inPrefixOrder(traces)
  assert.deepEqual(new Set(placed.map(({ n }) => n)), new Set([0, 1, 2, 3, 4]))
  for (const { n, after, shared: alike } of placed) {
    const own = traces[n]?.steps ?? []
    assert.equal(after === undefined || traces[after]?.task === traces[n]?.task, true)
    for (let i = 0; i < alike; i++) assert.equal(own[i], traces[after ?? -1]?.steps[i])
  }
  assert.deepEqual(
    placed.map((placing) => [placing.n, placing.shared]),
    [
      [3, 0],
      [0, 0],
      [4, 3],
      [2, 2],
      [1, 0],
    ],
  )
})
