import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alarmFiguresOf, chooseByCategory, countAlarms, noAlarms } from './alarms.js'
import {
  type Judged,
  curveOf,
  detectedWithin,
  judge,
  rankFiguresOf,
  thresholdWithin,
} from './group-figures.js'
import { FORECAST_KINDS, addForecasts, calibrationOf, mapped } from './method-fold.js'

const near = (actual: number, expected: number, within = 1e-9): void =>
  assert.ok(Math.abs(actual - expected) <= within, `${actual}, expected ${expected}`)

const WHERE = { group: 'g', category: 'c', source: 's' }
const truth = (violatedAt?: number) => ({
  excluded: undefined,
  unsafe: violatedAt !== undefined,
  violatedAt,
  hasSteps: true,
  assumed: false,
  instructedAt: null,
  unexecuted: new Set<number>(),
})
const session = (unsafe: boolean, ...peaks: number[]): Judged => ({
  unsafe,
  ...WHERE,
  peaks: Float64Array.from(peaks),
  known: Float64Array.from(peaks),
  before: undefined,
})

test('a session counts up to its violation; before it, the risk after its results counts too', () => {
  const scores = {
    p1: Float64Array.of(0.1, 0.9, 1),
    p5: Float64Array.of(0.2, 0.95, 1),
    p5After: Float64Array.of(0.4, 1, 1),
  }
  const violated = judge(scores, truth(1), 'p1', WHERE)
  assert.deepEqual([...violated.peaks], [0.1, 0.9])
  assert.equal(violated.before, 0.4)
  assert.deepEqual([...judge(scores, truth(1), 'p5', WHERE).peaks], [0.2, 0.95])
  const alarmed = judge({ ...scores, p5: Float64Array.of(0.2, 0.3, 1) }, truth(1), 'p5', WHERE)
  assert.deepEqual([...alarmed.peaks], [0.2, 0.4])
  const safe = judge(scores, truth(), 'p1', WHERE)
  assert.deepEqual([safe.peaks.length, safe.before], [3, 1])
  assert.equal(judge(scores, { ...truth(1), hasSteps: false }, 'p1', WHERE).before, undefined)
})

test('detection is read off the curve, ties as one', () => {
  const scored = [
    { score: 0.9, unsafe: true },
    { score: 0.8, unsafe: true },
    { score: 0.8, unsafe: false },
    { score: 0.1, unsafe: false },
  ]
  const curve = curveOf(scored)
  assert.deepEqual(
    [curve[1]?.threshold, curve[1]?.falsePositives.rate, curve[1]?.detection.rate],
    [0.9, 0, 0.5],
  )
  assert.equal(detectedWithin(curve, 0.49), 0.5)
  assert.equal(detectedWithin(curve, 0.5), 1)
  assert.equal(thresholdWithin(scored, 0), 0.9)
  assert.equal(thresholdWithin(scored, 0.5), 0.8)
  assert.equal(thresholdWithin([{ score: 1, unsafe: false }], 0.5), Infinity)
})

test('length-matched: a safe session that went on for long has no more chances', () => {
  const sessions = [session(true, 0.2, 0.5), session(false, 0.1, 0.3, 0.9), session(false, 0.6)]
  const { auc, matched } = rankFiguresOf(sessions)
  assert.deepEqual([auc, matched], [0, 1])
  assert.ok(Number.isNaN(rankFiguresOf([session(true, 0.2, 0.5), session(false, 0.6)]).matched))
})

test('alarms and their steps of warning', () => {
  const counts = noAlarms()
  const at = chooseByCategory([session(false, 0.1), session(false, 0.4), session(true, 0.5)], 0)
  assert.equal(at('c'), 0.5)
  for (const one of [
    session(true, 0.5, 0.6, 0.7),
    session(true, 0.1),
    session(false, 0.5),
    session(false, 0.4),
  ])
    countAlarms(counts, one, at)
  const { detection, falsePositives, leadMedian, early, leadCounts } = alarmFiguresOf(counts)
  assert.deepEqual([detection.n, detection.of, falsePositives.n, falsePositives.of], [1, 2, 1, 2])
  assert.deepEqual([leadMedian, early.rate, leadCounts[2]], [2, 1, 1])
  // A result that alarms does so with the step that returned it.
  const warned = { ...session(true, 0.1, 0.1, 0.6), known: Float64Array.of(0.1, 0.6, 0.6) }
  countAlarms(counts, warned, at)
  assert.deepEqual(counts.lead, [2, 1])
})

test('calibration: skill over the base rate, error by bins and in the riskiest tenth', () => {
  const probability = [...Array<number>(90).fill(0), ...Array<number>(10).fill(0.8)]
  const came = probability.map((p, n) => (p > 0 && n % 2 === 0 ? 1 : 0))
  const figures = calibrationOf({ probability, came })
  near(figures.rate, 0.05)
  near(figures.brier, (5 * 0.04 + 5 * 0.64) / 100)
  near(figures.skill, 1 - 0.034 / (0.05 * 0.95))
  near(figures.riskiestTenth, 0.3)
  near(figures.error, 0.03)
})

for (const [what, over, expected] of [
  [
    'whose violating step is known, up to it',
    truth(1),
    { p1: [0, 1], p5: [1, 1], p5After: [1], session: [1] },
  ],
  [
    'that are safe, to their end',
    truth(),
    { p1: [0, 0, 0], p5: [0, 0, 0], p5After: [0, 0, 0], session: [0] },
  ],
  [
    'labelled as a whole: the session alone',
    { ...truth(), unsafe: true, hasSteps: false },
    { p1: [], p5: [], p5After: [], session: [1] },
  ],
  [
    'with proposals that never ran: these forecast nothing',
    { ...truth(), unexecuted: new Set([0, 1]) },
    { p1: [0], p5: [0], p5After: [0], session: [0] },
  ],
] as const)
  test(`forecasts of sessions ${what}`, () => {
    const scores = {
      p1: Float64Array.of(0.5, 0.2, 0.4),
      p5: Float64Array.of(0.5, 0.2, 0.4),
      p5After: Float64Array.of(0.5, 0.2, 0.4),
    }
    const to = mapped(FORECAST_KINDS, () => ({ probability: [] as number[], came: [] as number[] }))
    addForecasts(to, scores, over)
    assert.deepEqual(
      mapped(FORECAST_KINDS, (kind) => to[kind].came),
      expected,
    )
    const ran = over.unexecuted.size > 0 ? [0.4] : over.violatedAt === 1 ? [0.5, 0.2] : [0.5, 0.2, 0.4]
    near(to.session.probability[0] ?? 0, 1 - ran.reduce((survived, p1) => survived * (1 - p1), 1))
  })
