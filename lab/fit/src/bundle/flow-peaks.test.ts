import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '@plimsoll/chains'
import { createPeakCounts } from './flow-peaks.js'

test('scores that a bundle writes alike are one peak, the highest first', () => {
  const counts = createPeakCounts()
  counts.add(0.12345649, false)
  counts.add(0.5, true)
  counts.add(0.1234561, true)
  assert.deepEqual(counts.peaks(), [
    { score: 0.5, safe: 0, unsafe: 1 },
    { score: 0.123456, safe: 1, unsafe: 1 },
  ])
  assert.equal(counts.safe(), 1)
})

test('more scores than there is room for lose digits, the same ones in whatever order they come', () => {
  const random = seededRandom(5)
  const scores = Array.from({ length: 30_000 }, () => random() ** 4)
  const counted = (values: readonly number[]) => {
    const counts = createPeakCounts(2_000)
    for (const [n, score] of values.entries()) counts.add(score, n < 0)
    return counts.peaks()
  }
  const peaks = counted(scores)
  assert.ok(peaks.length > 500 && peaks.length < 8_000, `${peaks.length} peaks`)
  assert.equal(
    peaks.reduce((sum, { safe }) => sum + safe, 0),
    scores.length,
  )
  assert.deepEqual(counted(scores.toReversed()), peaks)
})
