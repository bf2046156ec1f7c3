import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSampler, priorityOf, type Candidate } from './session-sample.js'

const candidates = (n: number, unsafeEvery: number): Candidate[] =>
  Array.from({ length: n }, (_, i) => ({
    priority: priorityOf('made up', `t${i}`),
    steps: 1 + (i % 5),
    unsafe: i % unsafeEvery === 0,
  }))

function chosenFrom(all: readonly Candidate[], stepsMax: number) {
  const sampler = createSampler(stepsMax)
  for (const session of all) sampler.offer(session)
  const { weightOf, sampled } = sampler.choose()
  const kept = all.filter((session) => weightOf(session) > 0)
  return { weightOf, sampled, kept, steps: kept.reduce((sum, { steps }) => sum + steps, 0) }
}

test('what fits is kept whole, each for itself', () => {
  const all = candidates(1_000, 7)
  const { kept, sampled, weightOf } = chosenFrom(all, 3_000)
  assert.equal(kept.length, 1_000)
  assert.equal(sampled, undefined)
  assert.ok(all.every((session) => weightOf(session) === 1))
})

test('violated sessions go first up to half of the room, the rest is for safe ones', () => {
  const all = candidates(20_000, 50)
  const { kept, sampled, steps } = chosenFrom(all, 6_000)
  assert.ok(steps <= 6_000 && steps > 5_900, `${steps}`)
  assert.deepEqual(sampled?.violated, { sessions: 400, kept: 400 })
  assert.equal(kept.length, 400 + (sampled?.safe.kept ?? 0))
  const even = chosenFrom(candidates(20_000, 2), 6_000)
  const unsafe = even.kept.filter((session) => session.unsafe).reduce((sum, one) => sum + one.steps, 0)
  assert.ok(Math.abs(unsafe - 3_000) < 10 && Math.abs(even.steps - 6_000) < 20)
})

test('weights add up to what there is, in sessions and nearly so in steps', () => {
  const all = candidates(40_000, 3)
  const { kept, weightOf } = chosenFrom(all, 9_000)
  const sum = (value: (session: Candidate) => number) =>
    kept.reduce((total, session) => total + weightOf(session) * value(session), 0)
  assert.ok(Math.abs(sum(() => 1) - 40_000) < 1e-6)
  assert.ok(Math.abs(sum(({ steps }) => steps) / 120_000 - 1) < 0.03)
})

test('the same sessions are chosen in whatever order they come', () => {
  const all = candidates(30_000, 11)
  const names = (kept: readonly Candidate[]) => new Set(kept.map(({ priority }) => priority))
  assert.deepEqual(names(chosenFrom(all.toReversed(), 4_000).kept), names(chosenFrom(all, 4_000).kept))
})
