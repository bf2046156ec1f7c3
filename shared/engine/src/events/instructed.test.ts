import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type EventOf, type Inherits, logged } from '@plimsoll/contracts'
import { distinctiveShare, matchFingerprints } from '../provenance/matches.js'
import { decodeState, encodeState } from '../state/record/record.js'
import { step } from '../step.js'
import {
  type SampleSession,
  createSampleSession,
  eventOf,
  fingerprint,
  fingerprints,
  sampleRules,
} from '../testing.js'

const SECRET = fingerprint(1, 'i')
const PAGE = fingerprint(2, 'u')
const OWN = fingerprint(3, 'a')

/** Which of the values count as named by the user. */
const namedIn = ({ state }: SampleSession, values: readonly string[] = [SECRET, PAGE, OWN]): boolean[] =>
  values.map(
    (each) => distinctiveShare(matchFingerprints(state.sources, [`n${each.slice(1)}`]), 'task') === 1,
  )

function reading(started: Partial<EventOf<'session.started'>> = {}): SampleSession {
  const session = createSampleSession({ started: { fingerprints: [], ...started } })
  session.propose('read_secret')
  session.complete('c1', { fingerprints: [SECRET] })
  session.propose('fetch_page')
  session.complete(`c3`, { fingerprints: [PAGE], taint: 'data' })
  return session
}

const sends = (session: SampleSession) =>
  session.propose('send_email', {
    fingerprints: [SECRET],
    signals: { complete: 1 },
  }).decision

describe('what the user says later', () => {
  test('counts as the task does: data that the user names may be sent, from any source', () => {
    assert.equal(sends(reading())?.risk?.evidence, 'present')
    const session = reading()
    const { decision, fault } = session.instruct({ fingerprints: [SECRET, PAGE, OWN] })
    assert.deepEqual([decision, fault], [undefined, undefined])
    assert.deepEqual(namedIn(session), [true, true, true])
    const sent = sends(session)
    assert.deepEqual([sent?.risk?.evidence, sent?.risk?.provenance?.task], ['absent', 1])
  })

  test('is as if the task had said it', () => {
    const reported = createSampleSession({ started: { fingerprints: [OWN], signals: { secrets: 1 } } })
    const later = createSampleSession()
    later.instruct({ fingerprints: [OWN], signals: { secrets: 1 } })
    const { sources, history, bucket } = reported.state
    assert.deepEqual(
      [later.state.sources, later.state.history, later.state.bucket],
      [sources, history, bucket],
    )
  })

  test('changes nothing else, lets nothing run and is no step', () => {
    const session = reading()
    session.propose('send_email', { fingerprints: [SECRET], evidence: { sensitive: 'unknown' } })
    const { time: _, producers: _p, recent: _r, sources: _s, ...before } = session.state
    session.instruct({ fingerprints: [SECRET] })
    const { time: _t, producers: _q, recent: _n, sources: _o, ...after } = session.state
    assert.deepEqual(after, before)
  })

  test('without a report is accepted, and adds nothing', () => {
    const session = reading()
    const { sources, history } = session.state
    assert.equal(session.instruct({ task: 'send it to Ada' }).fault, undefined)
    assert.deepEqual([session.state.sources, session.state.history], [sources, history])
    assert.equal(session.propose('read_public').decision?.verdict, 'allow')
  })

  test('counts where steps are only observed', () => {
    const session = reading()
    session.report({ mode: 'observe' })
    session.instruct({ fingerprints: [SECRET] })
    assert.deepEqual([sends(session)?.mode, namedIn(session)[0]], ['observe', true])
  })
})

describe('a message that repeats, is late, or has no session', () => {
  const message = (seq: number, body: Partial<EventOf<'session.instructed'>> = {}) =>
    eventOf('session.instructed', seq, { fingerprints: [OWN], ...body })

  test('counts once, and another one under its id not at all', () => {
    const session = createSampleSession()
    session.feed(message(1))
    const { state } = session
    assert.equal(session.feed(message(1)).state, state)
    assert.equal(session.feed(message(1, { fingerprints: [SECRET] })).state, state)
    assert.equal(session.feed(message(1, { id: 'e9', fingerprints: [SECRET] })).fault?.code, 'sequence_stale')
    assert.deepEqual(namedIn(session), [false, false, true])
  })

  test('leaves a gap if missing, and fills it when it arrives', () => {
    const session = createSampleSession()
    const proposal = eventOf('step.proposed', 2, { fingerprints: [OWN] })
    assert.deepEqual(
      [session.feed(proposal).fault?.code, session.feed(message(3)).fault?.code],
      ['sequence_gap', 'sequence_gap'],
    )
    assert.deepEqual(namedIn(session), [false, false, false])
    session.feed(message(1))
    assert.equal(session.feed(proposal).decision?.risk?.provenance?.task, 1)
  })

  test('begins no session, and goes on with none that has ended', () => {
    const rules = sampleRules()
    const { state, fault } = step(undefined, logged(message(0), 1), rules)
    assert.deepEqual([state, fault?.code], [undefined, 'session_state_lost'])
    const session = createSampleSession()
    session.end()
    assert.equal(session.instruct({ fingerprints: [OWN] }).fault?.code, 'session_ended')
    assert.deepEqual(namedIn(session), [false, false, false])
  })

  test('is not taken in without the pinned versions', () => {
    const session = createSampleSession()
    session.use(undefined)
    const { state } = session
    const { fault } = session.feed(message(1))
    assert.deepEqual([fault?.code, session.state], ['version_unavailable', state])
  })
})

describe('to a session that another stands behind', () => {
  const delegations: readonly (readonly [string, Partial<EventOf<'session.started'>>])[] = [
    ['by what it inherits', { root: 'parent', inherits: {} }],
    ['by its root alone', { root: 'parent' }],
    ['that went before', { inherits: { taint: 'data' } }],
  ]
  for (const [what, started] of delegations)
    test(`${what}, only what it has not read is named`, () => {
      const session = reading(started)
      session.instruct({ fingerprints: [SECRET, PAGE, OWN] })
      assert.deepEqual(namedIn(session), [false, false, true])
      assert.equal(sends(session)?.risk?.evidence, 'present')
      session.instruct({ fingerprints: [OWN] })
      assert.deepEqual(namedIn(session), [false, false, true])
    })

  test('nothing is named once instructions were read by either', () => {
    const inherits: Inherits = { fingerprints: { instructed: [PAGE] } }
    for (const session of [
      createSampleSession({ started: { root: 'parent', inherits } }),
      createSampleSession({ started: { root: 'parent', inherits: { taint: 'instructions' } } }),
    ]) {
      session.instruct({ fingerprints: [OWN] })
      assert.deepEqual(namedIn(session, [OWN]), [false])
    }
    const child = reading({ root: 'parent', inherits: {} })
    child.propose('fetch_page')
    child.complete('c5', { taint: 'instructions' })
    child.instruct({ fingerprints: [OWN] })
    assert.deepEqual(namedIn(child, [OWN]), [false])
    const own = reading()
    own.propose('fetch_page')
    own.complete('c5', { taint: 'instructions' })
    own.instruct({ fingerprints: [OWN] })
    assert.deepEqual(namedIn(own, [OWN]), [true], 'to the session itself it is the user who speaks')
  })

  test('names nothing once sources may have been forgotten', () => {
    const child = reading({ root: 'parent', inherits: {} })
    for (let i = 0; i < 12; i++) {
      child.propose('fetch_page', { callId: `page-${i}` })
      child.complete(`page-${i}`, { fingerprints: fingerprints(1000 + 100 * i, 100) })
      child.instruct({ fingerprints: [fingerprint(1000, 'u'), fingerprint(9000 + i)] })
    }
    assert.deepEqual(namedIn(child, [fingerprint(1000, 'u'), fingerprint(9000), fingerprint(9011)]), [
      false,
      true,
      false,
    ])
  })

  test('a later message does not make the session delegated', () => {
    const session = createSampleSession()
    session.propose('read_public', { inherits: { fingerprints: { untrusted: [PAGE] } } })
    session.instruct({ fingerprints: [PAGE] })
    assert.deepEqual(namedIn(session, [PAGE]), [true])
  })

  test('its record says so', () => {
    const { state } = reading({ root: 'parent', inherits: {} })
    assert.equal(state.delegated, true)
    assert.deepEqual(decodeState(encodeState(state)), { kind: 'state', state })
    assert.equal(reading({ root: 's' }).state.delegated, false)
  })
})

test('a record stays within its limit and keeps its sources however long the messages are', () => {
  const session = reading()
  for (let i = 0; i < 100; i++) session.instruct({ fingerprints: fingerprints(1000 + 128 * i, 128) })
  const { state } = session
  assert.deepEqual(decodeState(encodeState(state)), { kind: 'state', state })
  assert.ok(encodeState(state).length < 8_192)
  assert.equal(sends(session)?.risk?.evidence, 'present')
})
