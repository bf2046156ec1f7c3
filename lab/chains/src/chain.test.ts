import assert from 'node:assert/strict'
import { test } from 'node:test'
import { analyseAbsorption, createChain, horizonTable, meanVisits } from './index.js'

test('refuses rows that are not distributions', () => {
  for (const rows of [
    [],
    [[1]],
    [[0.5, 0.4, 0]],
    [[-0.5, 1.5, 0]],
    [[Number.NaN, 1, 0]],
    [
      [0.5, 0.25, 0.25],
      [1, 0],
    ],
  ])
    assert.throws(() => createChain(rows), RangeError)
})

test('the analysis refuses a state that leads nowhere; a finite horizon accepts it', () => {
  const chain = createChain([[1, 0, 0]])
  assert.throws(() => analyseAbsorption(chain), RangeError)
  assert.deepEqual(
    horizonTable(chain, 3).map((row) => row[0]),
    [0, 0, 0, 0],
  )
})

test('steps to violation are NaN if no violation can happen', () => {
  const { stepsToViolation, probability } = analyseAbsorption(createChain([[0.5, 0, 0.5]]))
  assert.ok(Number.isNaN(stepsToViolation[0]))
  assert.deepEqual([...(probability[0] ?? [])], [0, 1])
})

test('mean steps to a violation are conditional on the violation', () => {
  const { steps, stepsToViolation } = analyseAbsorption(
    createChain([
      [0, 1, 0, 0],
      [0, 0, 0.25, 0.75],
    ]),
  )
  assert.deepEqual([...steps], [2, 1])
  assert.deepEqual([...stepsToViolation], [2, 1])
})

test('mean visits are the rows of the fundamental matrix, and add up to the mean steps', () => {
  const chain = createChain([
    [0.5, 0.25, 0.25, 0],
    [0, 0.75, 0, 0.25],
  ])
  // N = (I − Q)⁻¹ = [[2, 2], [0, 4]].
  assert.deepEqual([...meanVisits(chain, [1, 0])], [2, 2])
  assert.deepEqual([...meanVisits(chain, [0.5, 0.5])], [1, 3])
  assert.deepEqual([...analyseAbsorption(chain).steps], [4, 4])
  assert.throws(() => meanVisits(createChain([[1, 0, 0]]), [1]), RangeError)
})

test('refuses horizons that are not whole numbers', () => {
  const chain = createChain([[0.5, 0.5, 0]])
  for (const horizon of [-1, 1.5, Number.NaN]) assert.throws(() => horizonTable(chain, horizon), RangeError)
})
