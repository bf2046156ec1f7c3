import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HISTORY_NAMES, SESSION_FEATURES, STEP_FEATURES } from '@plimsoll/engine'
import { INSTRUCTION_SIGNALS } from '@plimsoll/labels'
import { HAZARD_INPUTS, SESSION_INPUTS } from './scorer-fit.js'

test('every input of a scorer is a feature that the engine makes', () => {
  assert.deepEqual(
    Object.keys(HAZARD_INPUTS).filter((name) => !STEP_FEATURES.includes(name)),
    [],
  )
  assert.deepEqual(
    Object.keys(SESSION_INPUTS),
    SESSION_FEATURES.filter((name) => name !== 'state.steps'),
  )
})

test('every signal among the inputs is a signal of the observer', () => {
  const given = new Set([...INSTRUCTION_SIGNALS, 'secrets', 'personal'])
  const kept = HISTORY_NAMES.flatMap((name) => (name.startsWith('most.') ? [name.slice('most.'.length)] : []))
  assert.deepEqual(
    kept.filter((name) => !given.has(name)),
    [],
  )
})

test('what the task names never raises a hazard, and what only instructions name never lowers it', () => {
  for (const [name, sign] of Object.entries(HAZARD_INPUTS)) {
    if (/\.task\b/.test(name)) assert.equal(sign, -1, name)
    if (name.includes('instructedOnly')) assert.equal(sign, 1, name)
  }
})
