import assert from 'node:assert/strict'
import { test } from 'node:test'
import { safetyState } from '../labels/safety-state.js'
import { decodeState, encodeState } from '../state/record/record.js'
import { type SessionState, repin } from '../state/session.js'
import { type SampleSession, PINS, createSampleSession, sampleChain, sampleRules } from '../testing.js'
import { transitionsOf } from './transitions.js'

const chain = sampleChain()

/** The moves of what `act` does, one text each; each state goes through its record, as it does between two chunks. */
function movesDuring(session: SampleSession, act: () => unknown): string[] {
  const before = stored(session.state)
  act()
  return transitionsOf(before, stored(session.state), chain).map(
    ({ kind, from, to }) => `${kind} ${from} ${to}`,
  )
}

function stored(state: SessionState): SessionState {
  const decoded = decodeState(encodeState(state))
  assert.ok(decoded.kind === 'state')
  return decoded.state
}

const PUBLIC = safetyState(1, 0, 0)
const SECRET = safetyState(3, 0, 0)
const SENT = safetyState(3, 3, 2)
const READ = safetyState(4, 0, 0)
const ABSENT = { evidence: { sensitive: 'absent' } } as const

test('counts a transition once the next step runs, from the state before the step to the state after its result', () => {
  const session = createSampleSession()
  assert.deepEqual(
    movesDuring(session, () => session.propose('read_public')),
    ['began 0 0'],
  )
  assert.deepEqual(
    movesDuring(session, () => session.complete('c1', { labels: { confidentiality: 'sensitive' } })),
    [],
  )
  assert.deepEqual(
    movesDuring(session, () => session.propose('read_keys')),
    [`survived 0 ${SECRET}`],
  )
  assert.deepEqual(
    movesDuring(session, () => session.end()),
    [`survived ${SECRET} ${READ}`, `ended ${READ} ${READ}`],
  )
})

test('the step that the cascade calls violated is counted as that, and as passed with all that follows', () => {
  const session = createSampleSession()
  session.propose('read_secret')
  assert.deepEqual(
    movesDuring(session, () => session.propose('send_email', ABSENT)),
    [`survived 0 ${SECRET}`, `violated ${SECRET} ${SENT}`],
  )
  assert.deepEqual(
    movesDuring(session, () => session.propose('read_public')),
    [`passed ${SECRET} ${SENT}`],
  )
  const last = safetyState(3, 3, 0)
  assert.deepEqual(
    movesDuring(session, () => session.end()),
    [`passed ${SENT} ${last}`, `endedViolated ${last} ${last}`],
  )
})

test('a result that brings the violation is the latest step’s', () => {
  const session = createSampleSession()
  session.propose('send_email', ABSENT)
  assert.deepEqual(
    movesDuring(session, () => session.complete('c1', { labels: { confidentiality: 'sensitive' } })),
    [`violated 0 ${SENT}`],
  )
})

test('blocked, denied and unanswered proposals are in no move; an approved one is a step', () => {
  const session = createSampleSession({
    rules: sampleRules({ line: { present: 'block', absent: 'allow', unknown: 'confirm' } }),
  })
  session.propose('read_secret')
  for (const act of [
    () => session.propose('send_email', { evidence: { sensitive: 'present' } }),
    () => session.propose('send_email'),
    () => session.approve('s#e3#step', { resolution: 'denied' }),
    () => session.propose('send_email'),
  ])
    assert.deepEqual(movesDuring(session, act), [])
  assert.deepEqual(
    movesDuring(session, () => session.approve('s#e4#step')),
    [`survived 0 ${SECRET}`, `violated ${SECRET} ${SENT}`],
  )
})

test('neither a session without steps nor an ended session has transitions', () => {
  const session = createSampleSession()
  assert.deepEqual(
    movesDuring(session, () => session.end()),
    [],
  )
  assert.deepEqual(
    movesDuring(session, () => session.propose('read_public')),
    [],
  )
  assert.deepEqual(transitionsOf(undefined, session.state, chain), [])
})

test('of several steps without a verdict the last one is counted', () => {
  const session = createSampleSession()
  const withoutVerdict = ['a', 'b'].map((callId) => ({ callId, tool: 'read_public' }))
  assert.deepEqual(
    movesDuring(session, () => session.propose('read_keys', { withoutVerdict })),
    ['began 0 0'],
  )
  assert.deepEqual(
    movesDuring(session, () => session.end()),
    [`survived ${PUBLIC} ${READ}`, `ended ${READ} ${READ}`],
  )
})

test('a step under way when the session moves to another bundle is in no move', () => {
  const session = createSampleSession()
  session.propose('read_public')
  const moved = repin(session.state, { ...PINS, bundle: 'a'.repeat(32) })
  assert.deepEqual(stored(moved), moved)
  assert.deepEqual(transitionsOf(moved, { ...moved, ended: true }, chain), [])
  assert.equal(repin(session.state, { ...PINS, policy: 'a'.repeat(32) }).leftState, session.state.leftState)
})
