import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createChain } from '@plimsoll/chains'
import { chainFigures } from './figures.js'

/** 0 → 1 always; 1 is violated in one of four steps, ends in one of four; 2 cannot be violated. */
const chain = createChain([
  [0, 1, 0, 0, 0],
  [0, 0.5, 0, 0.25, 0.25],
  [0, 0, 0, 0, 1],
])
const figuresFrom = (...starts: number[]) =>
  chainFigures(chain, { starts, left: new Set([0, 1]), horizon: 3, horizonMax: 4 })

test('figures of sessions that begin in one state', () => {
  assert.deepEqual(figuresFrom(7, 0, 0), {
    start: [[0, 1]],
    ahead: [0, 0.25, 0.375, 0.4375],
    violated: 0.5,
    steps: 3,
    stepsToViolation: 3,
    visits: [
      [0, 1],
      [1, 2],
    ],
    noReturn: [],
  })
})

test('figures of several starts are their mean; steps to a violation are those of violated sessions', () => {
  const { start, violated, steps, stepsToViolation } = figuresFrom(0, 1, 3)
  assert.deepEqual(start, [
    [1, 0.25],
    [2, 0.75],
  ])
  assert.deepEqual([violated, steps, stepsToViolation], [0.125, 1.25, 2])
  assert.equal(figuresFrom(0, 0, 1).stepsToViolation, null)
})

test('a point of no return is a state that was left, with its first h', () => {
  const doomed = createChain([
    [0.4, 0.1, 0.5, 0],
    [0.1, 0.1, 0.7, 0.1],
  ])
  const options = { starts: [1, 1], horizon: 5, horizonMax: 5 }
  const points = (...left: number[]) => chainFigures(doomed, { ...options, left: new Set(left) }).noReturn
  assert.deepEqual(points(0, 1), [
    [0, 2],
    [1, 1],
  ])
  assert.deepEqual(points(0), [[0, 2]])
})
