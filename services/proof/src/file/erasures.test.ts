import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Run, addToRuns, countIn, firstDifference, mergeRuns } from './erasures.js'

test('indexes that follow each other are one run', () => {
  const runs: Run[] = []
  for (const index of [0, 1, 2, 5, 7, 8]) addToRuns(runs, index)
  assert.deepEqual(runs, [
    [0, 2],
    [5, 5],
    [7, 8],
  ])
  assert.equal(countIn(runs), 6)
})

test('runs are put in order, and those that touch become one', () => {
  const runs: Run[] = [
    [7, 9],
    [0, 1],
    [2, 3],
    [8, 8],
    [5, 5],
  ]
  assert.deepEqual(mergeRuns(runs), [
    [0, 3],
    [5, 5],
    [7, 9],
  ])
  assert.deepEqual(runs[1], [0, 1])
})

test('the first index that is in one list alone', () => {
  const cases: readonly (readonly [Run[], Run[], number | undefined])[] = [
    [[], [], undefined],
    [[[1, 2]], [[1, 2]], undefined],
    [[[1, 2]], [], 1],
    [[], [[4, 4]], 4],
    [[[1, 2]], [[1, 3]], 3],
    [[[1, 5]], [[2, 5]], 1],
    [
      [
        [1, 2],
        [9, 9],
      ],
      [[1, 2]],
      9,
    ],
  ]
  for (const [a, b, index] of cases) assert.equal(firstDifference(a, b), index)
})
