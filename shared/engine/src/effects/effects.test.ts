import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Effect } from '@plimsoll/contracts'
import { decodeState, encodeState } from '../state/record/record.js'
import { createSampleSession, sampleRules } from '../testing.js'
import { type StepEffect, actsBeyondOwn, effectsOf } from './effects.js'

const RULES = { ...sampleRules(), irreversible: 'confirm' } as const
const FINAL = { labels: { reversibility: 'irreversible' } } as const
const DELETES = { ...FINAL, signals: { doesDelete: 1 } }
const PUBLISHES = { ...FINAL, signals: { doesDelete: 1, doesPublish: 1 } }
const path = (name: string, more: Partial<Effect> = {}): Effect => ({
  act: 'delete',
  object: 'path',
  reach: 'shared',
  names: [name],
  ...more,
})

/** The reason of the irreversible source on a step of a session whose task asks for a deletion of `ptheirs2`. */
function reasonFor(effects: Effect[], step: object = DELETES, made?: string) {
  const started = { signals: { asksDelete: 1 }, fingerprints: ['ptheirs2'] }
  const session = createSampleSession({ rules: RULES, started })
  if (made !== undefined) {
    session.propose('run_code', { callId: 'm', made: [made] })
    session.complete('m', { tool: 'run_code' })
  }
  const { decision } = session.propose('run_code', { callId: 'c', effects, ...step })
  const state = session.state
  assert.deepEqual(decodeState(encodeState(state)), { kind: 'state', state })
  return decision?.reasons.find(({ source }) => source === 'irreversible')
}

test('a task releases an act on what it names', () => {
  assert.equal(reasonFor([path('ptheirs2')]), undefined)
  const { message, effect } = reasonFor([path('ptheirs2'), path('pothers2')]) ?? {}
  assert.equal(message, 'deletes files, outside this project, which the task does not name')
  assert.deepEqual(effect, {
    act: 'delete',
    object: 'path',
    reach: 'shared',
    certainty: 'understood',
    fingerprint: 'pothers2',
    at: 1,
    why: 'not_named',
  })
})

test('what only the run shows is compared by its act alone', () => {
  const { names: _, ...unseen } = path('')
  assert.equal(reasonFor([unseen]), undefined)
  assert.equal(reasonFor([path('', { names: [] })])?.effect?.why, 'not_named')
})

test('each act is compared with what it is done to', () => {
  const published: Effect = { act: 'publish', object: 'resource', reach: 'live', names: ['ptheirs2'] }
  const { message } = reasonFor([path('ptheirs2'), published], PUBLISHES) ?? {}
  assert.equal(message, 'publishes a resource, which is live, which the task does not ask for')
})

test('losing what the session made is quiet, and hides no other loss', () => {
  assert.equal(reasonFor([path('pmine222')], DELETES, 'pmine222'), undefined)
  const { effect } = reasonFor([path('pmine222'), path('pothers2')], DELETES, 'pmine222') ?? {}
  assert.equal(effect?.at, 1)
  const overwrites = { ...FINAL, signals: { doesDelete: 1, doesOverwrite: 1 } }
  const changed = path('pothers2', { act: 'change' })
  assert.equal(reasonFor([path('pmine222'), changed], overwrites, 'pmine222')?.effect?.act, 'change')
})

test('an object whose name is enough asks for no other act, and none of a task that only looks', () => {
  const restarts: Effect = { act: 'deploy', object: 'host', reach: 'live', names: ['ptheirs2'], byName: true }
  const step = { ...FINAL, signals: { doesPublish: 1, byName: 1 } }
  assert.equal(reasonFor([restarts], step), undefined)
  assert.equal(reasonFor([{ ...restarts, names: ['pothers2'] }], step)?.effect?.act, 'deploy')
  const grants = { ...FINAL, signals: { doesPublish: 1, doesGrant: 1, byName: 1 } }
  assert.match(reasonFor([restarts], grants)?.message ?? '', /^loosens access or checks/)
  const looking = createSampleSession({
    rules: RULES,
    started: { signals: { looksOnly: 1 }, fingerprints: ['ptheirs2'] },
  })
  const { decision } = looking.propose('run_code', { callId: 'c', effects: [restarts], ...step })
  assert.equal(decision?.verdict, 'confirm')
  looking.instruct({ signals: {}, fingerprints: ['pwords22'] })
  assert.equal(
    looking.propose('run_code', { callId: 'd', effects: [restarts], ...step }).decision?.verdict,
    'allow',
  )
})

test('what a client says to be own is not', () => {
  const claimed = path('pothers2', { reach: 'own' })
  assert.equal(reasonFor([claimed])?.effect?.why, 'not_named')
  assert.equal(reasonFor([claimed])?.effect?.reach, undefined)
})

test('an approval lifts the reason of the step that it was given for', () => {
  const session = createSampleSession({ rules: RULES })
  const asked = session.propose('run_code', { callId: 'c', effects: [path('pothers2')], ...DELETES })
  assert.equal(asked.decision?.verdict, 'confirm')
  const { decision } = session.approve(asked.decision?.id ?? '')
  assert.equal(decision?.verdict, 'allow')
  assert.deepEqual(
    decision?.reasons.map(({ effect }) => effect?.fingerprint),
    ['pothers2'],
  )
})

test('effects that are not reported are not known, and nothing of what is own hides them', () => {
  const known = { asked: 0, own: '', records: '', sources: '' }
  assert.equal(effectsOf(known, {}), undefined)
  assert.deepEqual(effectsOf(known, { effects: [] }), [])
  const own: StepEffect = {
    act: 'delete',
    object: undefined,
    reach: 'own',
    relation: 'own',
    incomplete: false,
    byName: false,
    fingerprint: '',
  }
  assert.equal(actsBeyondOwn({ doesDelete: 1, doesPay: 1 }, [own]), 1 << 2)
  assert.equal(actsBeyondOwn({ doesDelete: 1 }, undefined), 1)
})

test('what the task names is only looked up if it asks for something, or can by a name', () => {
  const known = { asked: 0, own: '', records: '', sources: '' }
  const relationOf = (asked: number, byName?: 1) =>
    effectsOf(
      { ...known, asked },
      { effects: [path('pothers2')], ...(byName && { signals: { byName } }) },
    )?.[0]?.relation
  assert.equal(relationOf(0), 'unknown')
  assert.equal(relationOf(1), 'unnamed')
  assert.equal(relationOf(0, 1), 'unnamed')
})

test('a message has the effect that an act without one is', () => {
  const messageOf = (signals: object) => reasonFor([], { ...FINAL, signals })?.message
  assert.equal(messageOf({ doesOverwrite: 1 }), undefined)
  assert.equal(messageOf({ doesPay: 1 }), 'pays something, which the task does not ask for')
  assert.equal(messageOf({ doesCredential: 1 }), 'overwrites something, which the task does not ask for')
  const session = createSampleSession({ rules: RULES })
  const overwrites = { ...FINAL, signals: { doesOverwrite: 1 } }
  const { decision } = session.propose('run_code', { callId: 'c', effects: [], ...overwrites })
  assert.equal(decision?.reasons[0]?.message, 'overwrites something, which the task does not ask for')
})

test('what is lost without an effect is not own because the effects beside it are', () => {
  const grants = path('pmine222', { act: 'grant' })
  const both = { ...FINAL, signals: { doesPublish: 1, doesDelete: 1 } }
  const { message } = reasonFor([path('pmine222', { act: 'publish' })], both, 'pmine222') ?? {}
  assert.match(message ?? '', /^publishes/)
  const lost = { ...FINAL, signals: { doesOverwrite: 1, doesDelete: 1 } }
  assert.equal(reasonFor([path('pmine222')], lost, 'pmine222'), undefined)
  const session = createSampleSession({ rules: RULES })
  session.propose('run_code', { callId: 'm', made: ['pmine222'] })
  session.complete('m', { tool: 'run_code' })
  const step = { ...FINAL, signals: { doesGrant: 1, doesDelete: 1, program: 1 }, effects: [grants] }
  const { decision } = session.propose('run_code', { callId: 'c', ...step })
  assert.equal(decision?.reasons[0]?.message, 'deletes something, which the task does not ask for')
})

test('a step is all of own things only if it does nothing to others', () => {
  const session = createSampleSession({ rules: RULES })
  session.propose('run_code', { callId: 'm', made: ['pmine222'] })
  session.complete('m', { tool: 'run_code' })
  const publishes = path('pothers2', { act: 'publish' })
  session.propose('run_code', { callId: 'c', effects: [path('pmine222'), publishes], ...PUBLISHES })
  const call = session.state?.calls.find(({ status }) => status === 'pending')
  assert.ok(call?.status === 'pending')
  assert.equal(call.signals?.own, undefined)
})

test('what lies on a disposable machine is lost as own things are, and no other act of it', () => {
  assert.equal(reasonFor([path('pothers2', { reach: 'disposable' })]), undefined)
  const { effect } = reasonFor([path('pothers2', { reach: 'disposable' }), path('pothers3')]) ?? {}
  assert.equal(effect?.at, 1)
  const published = path('pothers2', { act: 'publish', reach: 'disposable' })
  assert.equal(reasonFor([published], { ...FINAL, signals: { doesPublish: 1 } })?.effect, undefined)
})
