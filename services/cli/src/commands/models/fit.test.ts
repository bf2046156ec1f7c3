import assert from 'node:assert/strict'
import { test } from 'node:test'
import { followFit, parseBudget } from './fit.js'

test('a budget is a share above 0, to 1', () => {
  for (const [text, budget] of [
    ['0.01', 0.01],
    ['.05', 0.05],
    ['1', 1],
    [undefined, undefined],
  ] as const)
    assert.equal(parseBudget(text), budget)
  for (const text of ['0', '1.5', '5%', '-0.1', '1e-3', '', 'some', 'NaN'])
    assert.throws(
      () => parseBudget(text),
      { code: 'usage_invalid', message: /^`--budget` is `.*`: give a share above 0 and at most 1$/ },
      text,
    )
})

function followed(isFlow: boolean) {
  const reported: [number | undefined, string][] = []
  let now = 0
  const progress = {
    update: (share: number | undefined, note: string) => void reported.push([share, note]),
    end() {},
  }
  const hooks = followFit(progress, isFlow, () => now)
  return { reported, hooks, at: (ms: number) => (now = ms) }
}

test('what was read, how fast, and how long the rest takes', () => {
  const { reported, hooks, at } = followed(false)
  at(2_000)
  hooks.onProgress({ file: 'a', bytesRead: 250, bytesTotal: 1_000, traces: 10, steps: 500 })
  assert.deepEqual(reported, [[0.25, '10 sessions, 500 steps, 250 a second, 6 s left']])
})

test('of a pipe nobody knows how much is left', () => {
  const { reported, hooks, at } = followed(true)
  at(1_000)
  hooks.onProgress({ file: '/dev/stdin', bytesRead: 250, bytesTotal: 0, traces: 1, steps: 9 })
  assert.deepEqual(reported, [[undefined, '1 sessions, 9 steps, 9 a second']])
})

test('in the space `flow` reading is not all of it', () => {
  const { reported, hooks, at } = followed(true)
  at(1_000)
  hooks.onProgress({ file: 'a', bytesRead: 5, bytesTotal: 5, traces: 1, steps: 9 })
  for (const phase of ['sample', 'scorers', 'chains', 'thresholds', 'labelsOnly'] as const)
    hooks.onPhase(phase)
  const shares = reported.map(([share = 0]) => share)
  assert.deepEqual(
    shares,
    [...shares].sort((a, b) => a - b),
  )
  assert.ok(shares.every((share) => share > 0 && share < 1))
})
