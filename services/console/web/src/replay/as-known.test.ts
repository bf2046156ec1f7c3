import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Step } from '../../../src/api.js'
import { stepsAsKnown } from './as-known.js'

const base = { tool: 't', effects: [], labels: {}, reasons: [] }
const asked: Step = {
  ...base,
  step: 1,
  callId: 'c1',
  eventId: 'e1',
  decidedAt: 10,
  verdict: 'allow',
  firstVerdict: 'confirm',
  resolvedAt: 30,
  probability: 0.2,
  pointOfNoReturn: 3,
  firstRisk: { probability: 0.4 },
  answer: { resolution: 'approved', by: 'ines', at: 29, scope: 'once' },
  completed: { at: 40, outcome: 'ok' },
  appeal: { expected: 'allow', by: 'ines', at: 50 },
}
const at = (step: number, decidedAt: number): Step => ({
  ...base,
  step,
  callId: `c${step}`,
  eventId: `e${step}`,
  decidedAt,
  verdict: 'allow',
})
const steps = [asked, at(2, 20), at(3, 35), at(4, 45)]
const firstAt = (place: number) => stepsAsKnown(steps, place)[0]

test('a step is shown as its decision left it, and nothing that came later', () => {
  const first = firstAt(0)
  assert.equal(stepsAsKnown(steps, 0).length, 1)
  assert.deepEqual(
    [first?.verdict, first?.firstVerdict, first?.answer, first?.completed, first?.appeal],
    ['confirm', undefined, undefined, undefined, undefined],
  )
  // The risk of that moment too.
  assert.deepEqual([first?.probability, first?.pointOfNoReturn], [0.4, undefined])
})

test('an answer, an outcome and an appeal are known from their time on', () => {
  assert.deepEqual([firstAt(1)?.verdict, firstAt(1)?.answer], ['confirm', undefined])
  assert.deepEqual(
    [firstAt(2)?.verdict, firstAt(2)?.answer?.by, firstAt(2)?.probability, firstAt(2)?.completed],
    ['allow', 'ines', 0.2, undefined],
  )
  assert.deepEqual([firstAt(3)?.completed?.outcome, firstAt(3)?.appeal], ['ok', undefined])
  assert.equal(stepsAsKnown(steps, 4), steps)
  assert.deepEqual(stepsAsKnown([], 0), [])
})

test('a step that nobody had to answer stays as it is', () => {
  assert.deepEqual(stepsAsKnown(steps, 3)[1], steps[1])
  const waiting = { ...base, step: 5, callId: 'c5', eventId: 'e5', proposedAt: 50 }
  assert.deepEqual(stepsAsKnown([waiting], 0), [waiting])
})
