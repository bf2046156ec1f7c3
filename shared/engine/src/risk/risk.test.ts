import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StepLabels } from '../labels/safety-state.js'
import { createSessionState } from '../state/session.js'
import { PINS, SAMPLE_TOOLS, sampleChain, sampleRules } from '../testing.js'
import { bandOf, eitherCause, estimateStepRisk, riskOf, riskWithin } from './risk.js'
import { crossed } from './scorer.js'

const THRESHOLDS = Float64Array.of(0.3, 0.5, 0.7)

/** A step that tells of nothing but its labels. */
const bare = (labels: StepLabels) => ({ labels, matches: undefined, signals: undefined })

test('a threshold is reached at its very value', () => {
  for (const [value, count] of [
    [0, 0],
    [0.2999, 0],
    [0.3, 1],
    [0.5, 2],
    [0.6, 2],
    [0.7, 3],
    [1, 3],
  ] as const)
    assert.equal(crossed(value, THRESHOLDS), count, String(value))
})

test('a risk is spread over the steps, and two causes are independent', () => {
  assert.ok(Math.abs(riskWithin(0.75, 1, 2) - 0.5) < 1e-12)
  assert.equal(riskWithin(0.75, 5, 2), 0.75)
  assert.equal(riskWithin(0, 5, 2), 0)
  assert.equal(eitherCause(0.5, 0.5), 0.75)
  assert.equal(eitherCause(0.3, 0), 0.3)
})

test('a band is entered at its threshold and left the hysteresis below it', () => {
  const rows = [
    [0.1, 0, 0],
    [0.3, 0, 1],
    [0.75, 0, 3],
    [0.27, 1, 1],
    [0.2499, 1, 0],
    [0.47, 2, 2],
    [0.44, 2, 1],
    [0.66, 3, 3],
    [0.64, 3, 2],
    [0.46, 3, 2],
    [0, 3, 0],
  ] as const
  for (const [probability, before, after] of rows)
    assert.equal(bandOf(probability, before, THRESHOLDS, 0.05), after, `${probability} from ${before}`)
})

test('a band is kept at the very value where its hysteresis ends', () => {
  const thresholds = Float64Array.of(0.5, 0.75, 1)
  assert.equal(bandOf(0.25, 1, thresholds, 0.25), 1)
  assert.equal(bandOf(0.5, 2, thresholds, 0.25), 2)
})

test('without hysteresis the band is where the probability lies', () => {
  for (let before = 0; before <= 3; before++)
    for (let p = 0; p <= 1; p += 0.01) assert.equal(bandOf(p, before, THRESHOLDS, 0), crossed(p, THRESHOLDS))
})

test('a stepRisk reads the chain where the step arrives: the safety state, or the level kept', () => {
  const state = { ...createSessionState(PINS, 'data', '', 0), safety: 36, level: 3 }
  const chain = sampleChain({ hazard: (s) => s / 100, probability: (s) => s / 60 })
  const at60 = estimateStepRisk(state, bare(SAMPLE_TOOLS.write_file), sampleRules({ chain }))
  assert.equal(at60.safety, 36 + 4)
  assert.equal(at60.hazard, 0.4)
  assert.equal(at60.probability, 40 / 60)
  const at5 = estimateStepRisk(
    state,
    bare(SAMPLE_TOOLS.write_file),
    sampleRules({ chain: { ...chain, space: 'paper5' } }),
  )
  assert.equal(at5.level, 3)
  assert.equal(at5.hazard, 0.03)
})

test('a level once reached is kept, and untrusted steps taint', () => {
  const rules = sampleRules()
  const state = { ...createSessionState(PINS, 'data', '', 0), level: 4 }
  assert.equal(estimateStepRisk(state, bare(SAMPLE_TOOLS.read_public), rules).level, 4)
  assert.equal(estimateStepRisk(state, bare(SAMPLE_TOOLS.read_public), rules).taint, 0)
  assert.equal(estimateStepRisk(state, bare(SAMPLE_TOOLS.fetch_page), rules).taint, 1)
  assert.equal(estimateStepRisk({ ...state, taint: 2 }, bare(SAMPLE_TOOLS.fetch_page), rules).taint, 2)
})

test('risk in words, and null where no violation was ever seen from', () => {
  const rules = sampleRules()
  const state = { ...createSessionState(PINS, 'other', '', 0), violations: 1, withoutVerdict: 2, blocked: 3 }
  const risk = riskOf(state, estimateStepRisk(state, bare(SAMPLE_TOOLS.send_email), rules), rules)
  assert.deepEqual(risk, {
    category: 'aggregate',
    exposure: 'none',
    escalation: 'network',
    reversibility: 'irreversible',
    level: 'safe',
    taint: 'none',
    hazard: 0,
    horizon: 5,
    probability: 0,
    stepsToViolation: 3,
    band: 0,
    violations: 1,
    withoutVerdict: 2,
    blocked: 3,
  })
  const chain = sampleChain({ noReturn: () => 4 })
  const doomed = estimateStepRisk(state, bare(SAMPLE_TOOLS.send_email), sampleRules({ chain }))
  assert.equal(riskOf(state, doomed, rules).pointOfNoReturn, 4)
  const still = { exposure: 0, escalation: 0, reversibility: 0, untrusted: false }
  assert.equal(riskOf(state, estimateStepRisk(state, bare(still), rules), rules).stepsToViolation, null)
})
