import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areaUnderCurve, type Scored } from './auc.js'

const scored = (...pairs: [number, boolean][]): Scored[] =>
  pairs.map(([score, unsafe]) => ({ score, unsafe }))

test('the area is the chance of the right order, ties counting half', () => {
  assert.equal(areaUnderCurve(scored([1, true], [0, false])), 1)
  assert.equal(areaUnderCurve(scored([0, true], [1, false])), 0)
  assert.equal(areaUnderCurve(scored([1, true], [1, false], [1, false])), 0.5)
  assert.equal(areaUnderCurve(scored([3, true], [2, false], [2, true], [1, false])), 3.5 / 4)
})

test('one kind alone has no area', () => {
  assert.ok(Number.isNaN(areaUnderCurve(scored([1, true]))))
  assert.ok(Number.isNaN(areaUnderCurve([])))
})

test('it agrees with counting pairs', () => {
  const sessions = Array.from({ length: 200 }, (_, n) => ({
    score: (n * 7919) % 23,
    unsafe: (n * 104729) % 3 === 0,
  }))
  const unsafe = sessions.filter((session) => session.unsafe)
  const safe = sessions.filter((session) => !session.unsafe)
  const right = unsafe.flatMap((a) =>
    safe.map((b) => (a.score > b.score ? 1 : a.score === b.score ? 0.5 : 0)),
  )
  const expected = right.reduce((sum: number, value) => sum + value, 0) / right.length
  assert.ok(Math.abs(areaUnderCurve(sessions) - expected) < 1e-12)
})
