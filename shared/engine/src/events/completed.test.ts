import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codesOf, createSampleSession, openCalls } from '../sample-session.js'
import { LIMITS } from '../state/session.js'

const others = [
  {
    name: 'another tool',
    ran: { tool: 'read_keys' },
    says: /`read_secret` was let run, and what ran was `read_keys`/,
  },
  { name: 'other arguments', ran: { argumentsDigest: 'e'.repeat(64) }, says: /what ran was other arguments/ },
] as const

for (const { name, ran, says } of others)
  test(`${name} than was let run is a step without a verdict, and told`, () => {
    const session = createSampleSession()
    session.propose('read_secret')
    const outcome = session.complete('c1', ran)
    assert.deepEqual(codesOf(outcome), ['malformed:ran_other_than_proposed'])
    assert.match(outcome.decision?.reasons[0]?.message ?? '', says)
    assert.deepEqual([outcome.decision?.kind, outcome.decision?.callId], ['alert', 'c1'])
    assert.deepEqual([session.state.steps, session.state.withoutVerdict, session.state.calls], [2, 1, []])
  })

test('what ran is what was let run: nothing is told', () => {
  const session = createSampleSession()
  const { decision } = session.propose('read_secret')
  const outcome = session.complete('c1', { argumentsDigest: decision?.argumentsDigest })
  assert.equal(outcome.decision, undefined)
  assert.deepEqual([session.state.steps, session.state.withoutVerdict], [1, 0])
})

test('of a step that nobody asked about the arguments are not known', () => {
  const session = createSampleSession()
  session.propose('read_public', { withoutVerdict: [{ callId: 'u1', tool: 'read_public' }] })
  assert.equal(session.complete('u1', { argumentsDigest: 'e'.repeat(64) }).decision, undefined)
})

test('a call that nobody tells of any more lapses: its place is free, and what it may have read nobody saw', () => {
  const session = createSampleSession()
  session.propose('read_secret')
  const opened = session.state.time
  session.propose('read_public', { callId: 'later' }, opened + LIMITS.callMsMax - 1)
  assert.deepEqual(
    openCalls(session.state).map(([callId]) => callId),
    ['c1', 'later'],
  )
  session.propose('read_public', { callId: 'last' }, opened + LIMITS.callMsMax)
  assert.deepEqual(
    openCalls(session.state).map(([callId]) => callId),
    ['later', 'last'],
  )
  assert.deepEqual([session.state.steps, session.state.withoutVerdict, session.state.sources], [3, 0, '?'])
})

test('what comes back late comes back all the same', () => {
  const session = createSampleSession()
  session.propose('read_secret')
  session.complete('c1', {}, session.state.time + 2 * LIMITS.callMsMax)
  assert.deepEqual([session.state.steps, session.state.withoutVerdict, session.state.calls], [1, 0, []])
})

test('calls that never came back do not fill a session for ever', () => {
  const session = createSampleSession()
  for (let i = 0; i < LIMITS.liveCallsMax; i++) session.propose('read_public')
  assert.equal(session.propose('read_public').fault?.code, 'too_many_open_calls')
  const { decision } = session.propose('read_public', {}, session.state.time + LIMITS.callMsMax)
  assert.equal(decision?.verdict, 'allow')
})
