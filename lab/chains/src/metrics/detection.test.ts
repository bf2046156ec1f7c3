import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Detection,
  areaUnderCurve,
  detectionCurve,
  detectionWithin,
  prefixMatchedAuc,
  seededRandom,
  wilson,
} from '../index.js'
import { detectionAt } from './detection.js'

const SCORES = [0.9, 0.8, 0.8, 0.6, 0.5, 0.5, 0.2]
const LABELS = [1, 1, 0, 1, 0, 0, 0]

const counts = ({ threshold, detection, falsePositives }: Detection) => [
  threshold,
  detection.n,
  falsePositives.n,
]

test('the curve has a point for each score, one for ties', () => {
  assert.deepEqual(detectionCurve(SCORES, LABELS).map(counts), [
    [Infinity, 0, 0],
    [0.9, 1, 0],
    [0.8, 2, 1],
    [0.6, 3, 1],
    [0.5, 3, 3],
    [0.2, 3, 4],
  ])
})

test('the budget gives the lowest threshold that keeps to it', () => {
  assert.deepEqual(counts(detectionWithin(SCORES, LABELS, 0)), [0.9, 1, 0])
  assert.deepEqual(counts(detectionWithin(SCORES, LABELS, 0.24)), [0.9, 1, 0])
  assert.deepEqual(counts(detectionWithin(SCORES, LABELS, 0.25)), [0.6, 3, 1])
  assert.deepEqual(counts(detectionWithin(SCORES, LABELS, 1)), [0.2, 3, 4])
  assert.deepEqual(counts(detectionWithin([3, 3], [1, 0], 0.5)), [Infinity, 0, 0])
})

test('equals trying every threshold, and the area under the curve', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = seededRandom(seed)
    const scores = Array.from({ length: 120 }, () => Math.floor(random() * 30))
    const labels = scores.map((score) => (random() < score / 40 ? 1 : 0))
    const budget = random() * 0.3
    const kept = scores
      .map((threshold) => detectionAt(scores, labels, threshold))
      .filter(({ falsePositives }) => falsePositives.rate <= budget)
    const best = Math.max(0, ...kept.map(({ detection }) => detection.n))
    assert.equal(detectionWithin(scores, labels, budget).detection.n, best)
    const curve = detectionCurve(scores, labels)
    let area = 0
    for (const [i, { detection, falsePositives }] of curve.entries()) {
      const before = curve[i - 1]
      if (before)
        area +=
          (falsePositives.rate - before.falsePositives.rate) * ((detection.rate + before.detection.rate) / 2)
    }
    assert.ok(Math.abs(area - areaUnderCurve(scores, labels)) < 1e-12)
  }
})

test('prefix-matched area agrees with its definition and forgives safe sessions their length', () => {
  for (let seed = 1; seed <= 10; seed++) {
    const random = seededRandom(seed)
    const sessions = Array.from({ length: 80 }, () => ({
      violated: random() < 0.4,
      scores: Array.from({ length: 1 + Math.floor(random() * 6) }, () => Math.floor(random() * 9)),
    }))
    const safe = sessions.filter(({ violated }) => !violated)
    const rights = sessions.flatMap(({ violated, scores }) => {
      const others = safe.filter((other) => other.scores.length >= scores.length)
      if (!violated || others.length === 0) return []
      const own = Math.max(...scores)
      const highest = others.map((other) => Math.max(...other.scores.slice(0, scores.length)))
      return (
        highest.map<number>((h) => (own > h ? 1 : own === h ? 0.5 : 0)).reduce((a, b) => a + b) /
        others.length
      )
    })
    const { auc, matched } = prefixMatchedAuc(sessions)
    assert.equal(matched, rights.length)
    assert.ok(Math.abs(auc - rights.reduce((a, b) => a + b, 0) / rights.length) < 1e-12)
  }
  const late = { violated: false, scores: [0, 0, 9] }
  assert.equal(prefixMatchedAuc([{ violated: true, scores: [1] }, late]).auc, 1)
})

/** Newcombe, Two-sided confidence intervals for the single proportion (1998), table I, method 3. */
const PUBLISHED = [
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
] as const

for (const [n, of, low, high] of PUBLISHED)
  test(`the interval of ${n} of ${of} is the published one`, () => {
    const interval = wilson(n, of)
    assert.equal(interval.low.toFixed(4), low.toFixed(4))
    assert.equal(interval.high.toFixed(4), high.toFixed(4))
    assert.equal(interval.rate, n / of)
  })

test('the ends are exact, and nothing counted is NaN', () => {
  assert.equal(wilson(0, 7).low, 0)
  assert.equal(wilson(7, 7).high, 1)
  assert.ok(Number.isNaN(wilson(0, 0).rate))
})

test('the interval inverts the score test', () => {
  for (const [n, of] of [
    [3, 10],
    [50, 70],
    [1, 1_000],
  ] as const)
    for (const bound of [wilson(n, of).low, wilson(n, of).high]) {
      const z = Math.abs(n / of - bound) / Math.sqrt((bound * (1 - bound)) / of)
      assert.ok(Math.abs(z - 1.959964) < 1e-5)
    }
})
