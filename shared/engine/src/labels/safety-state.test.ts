import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACTS as ACT_NAMES } from '@plimsoll/contracts'
import {
  SAFETY_STATES,
  advanceSafetyState,
  escalationOf,
  exposureOf,
  raiseExposure,
  raiseLabels,
  requestedActs,
  reversibilityOf,
  safetyState,
  stepLabelsOf,
} from './safety-state.js'

const states = Array.from({ length: SAFETY_STATES }, (_, s) => s)
const labelsAt = (state: number, untrusted = false) => ({
  exposure: exposureOf(state),
  escalation: escalationOf(state),
  reversibility: reversibilityOf(state),
  untrusted,
})

test('a safety state is its three parts', () => {
  for (const s of states) assert.equal(safetyState(exposureOf(s), escalationOf(s), reversibilityOf(s)), s)
})

test('a step raises exposure and escalation to their maxima and brings its own reversibility', () => {
  for (const s of states)
    for (const step of states) {
      const next = advanceSafetyState(s, labelsAt(step))
      assert.equal(exposureOf(next), Math.max(exposureOf(s), exposureOf(step)))
      assert.equal(escalationOf(next), Math.max(escalationOf(s), escalationOf(step)))
      assert.equal(reversibilityOf(next), reversibilityOf(step))
    }
})

test('a completion raises exposure alone', () => {
  for (const s of states)
    for (let exposure = 0; exposure < 5; exposure++) {
      const expected = safetyState(Math.max(exposureOf(s), exposure), escalationOf(s), reversibilityOf(s))
      assert.equal(raiseExposure(s, exposure), expected)
    }
})

test('labels as indices', () => {
  assert.deepEqual(stepLabelsOf({ capability: 'read', reversibility: 'reversible' }), labelsAt(0))
  assert.deepEqual(
    stepLabelsOf({
      capability: 'network',
      confidentiality: 'credentials',
      trust: 'untrusted',
      reversibility: 'irreversible',
      tags: ['pii'],
    }),
    labelsAt(59, true),
  )
})

test('a claim raises labels and never lowers them', () => {
  const low = stepLabelsOf({ capability: 'read', reversibility: 'reversible', trust: 'trusted' })
  const high = labelsAt(59, true)
  const claims = [
    [{}, low],
    [{ capability: 'execute' }, { ...low, escalation: 2 }],
    [{ confidentiality: 'public' }, { ...low, exposure: 1 }],
    [{ reversibility: 'irreversible' }, { ...low, reversibility: 2 }],
    [{ trust: 'untrusted' }, { ...low, untrusted: true }],
  ] as const
  assert.equal(raiseLabels(low, undefined), low)
  for (const [claim, expected] of claims) assert.deepEqual(raiseLabels(low, claim), expected)
  const least = {
    capability: 'read',
    confidentiality: 'public',
    trust: 'trusted',
    reversibility: 'reversible',
  } as const
  assert.deepEqual(raiseLabels(high, least), high)
})

test('every act is read from its signals, and nothing else is', () => {
  const bits = ACT_NAMES.map((act) =>
    requestedActs({ [`asks${act.charAt(0).toUpperCase()}${act.slice(1)}`]: 1 }),
  )
  assert.deepEqual(
    bits,
    ACT_NAMES.map((_, i) => 1 << i),
  )
  for (const signals of [undefined, {}, { asksdelete: 1 }, { asksDelete: 0 }, { asks: 1 }, { doesDelete: 1 }])
    assert.equal(requestedActs(signals), 0)
})
