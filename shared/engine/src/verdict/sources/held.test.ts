import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Inherits, Mode, Reason } from '@plimsoll/contracts'
import { NO_FACTS } from '../../rules.js'
import { type SampleSession, codesOf, createSampleSession, eventOf, sampleRules } from '../../testing.js'
import { holdsSession } from './held.js'

const PRESENT = { evidence: { sensitive: 'present' } } as const
const CLEAN = { evidence: { sensitive: 'absent' } } as const
const RUNNER = { signals: { complete: 1, runner: 1 } }
const HELD = 'line:outgoing_after_blocked'
const UNKNOWN_CODE = 'line:unknown_code_after_sensitive'
const rules = sampleRules()

/** A session in which a step was blocked with sensitive data in it. */
function sessionAfterLeak(mode: Mode = 'enforce'): SampleSession {
  const session = createSampleSession({ rules })
  session.report({ ...NO_FACTS, mode })
  session.propose('read_secret')
  const { decision } = session.propose('send_email', PRESENT)
  assert.deepEqual([decision?.verdict, decision?.mode], ['block', mode])
  return session
}

const judged = (session: SampleSession, tool: string, body: Parameters<SampleSession['propose']>[1] = {}) => {
  const outcome = session.propose(tool, body)
  return [outcome.decision?.verdict, codesOf(outcome)] as const
}

const declassify = (session: SampleSession, spec = 'line', id = 'g1') =>
  session.feed(eventOf('declassification.granted', 0, { id, spec }))

test('once a leak was blocked, trying again until nothing is found asks, and goes on asking', () => {
  const session = sessionAfterLeak()
  for (let i = 0; i < 3; i++) {
    assert.deepEqual(judged(session, 'send_email', CLEAN), ['confirm', [HELD]])
    assert.deepEqual(judged(session, 'fetch_page', CLEAN), ['confirm', [HELD]])
  }
  assert.deepEqual(judged(session, 'fetch_page'), ['confirm', [HELD]])
  assert.deepEqual(judged(session, 'read_file'), ['allow', []])
  assert.deepEqual(judged(session, 'send_email', PRESENT), ['block', ['line:outgoing_after_sensitive']])
})

test('an approval lets the one step run, and the session stays held', () => {
  const session = sessionAfterLeak()
  const { decision } = session.propose('send_email', CLEAN)
  assert.equal(session.approve(decision?.id ?? '').decision?.verdict, 'allow')
  assert.deepEqual(judged(session, 'send_email', CLEAN), ['confirm', [HELD]])
})

test('where nothing is enforced a leak holds the session too', () => {
  const session = sessionAfterLeak('observe')
  assert.equal(session.state.held, true)
  assert.deepEqual(judged(session, 'send_email', CLEAN), ['confirm', [HELD]])
  session.report(NO_FACTS)
  assert.deepEqual(judged(session, 'send_email', CLEAN), ['confirm', [HELD]])
})

test('no other block holds a session', () => {
  const session = createSampleSession({
    rules: sampleRules({
      tools: {
        never: {
          labels: { exposure: 0, escalation: 3, reversibility: 2, untrusted: false },
          blocklist: [{ id: 'never' }],
        },
      },
    }),
  })
  assert.equal(session.propose('never', PRESENT).decision?.verdict, 'block')
  session.propose('read_secret')
  const asked = session.propose('send_email').decision
  assert.equal(session.approve(asked?.id ?? '', { resolution: 'denied' }).decision?.verdict, 'block')
  assert.equal(session.propose('never', CLEAN).decision?.verdict, 'block')
  assert.equal(session.state.held, false)
})

test('declassifying the line ends the hold; the next leak starts it again', () => {
  const session = sessionAfterLeak()
  const before = session.state
  const { fault, decision } = declassify(session)
  assert.deepEqual([fault, decision, session.state.held], [undefined, undefined, false])
  assert.deepEqual({ ...session.state, held: true, recent: [], time: 0 }, { ...before, recent: [], time: 0 })
  assert.deepEqual(judged(session, 'send_email', CLEAN), ['allow', ['line:outgoing_after_sensitive']])
  assert.deepEqual(judged(session, 'send_email', PRESENT)[0], 'block')
  assert.equal(session.state.held, true)
  // The same grant again is a retry.
  declassify(session)
  assert.equal(session.state.held, true)
  declassify(session, 'line', 'g2')
  assert.equal(session.state.held, false)
})

test('a declassification of anything else, or of a session that has ended, leaves the line', () => {
  const session = sessionAfterLeak()
  for (const spec of ['lines', 'Line', ''])
    assert.equal(declassify(session, spec, `g-${spec}`).fault?.code, 'spec_unknown')
  assert.equal(session.state.held, true)
  session.end()
  assert.equal(declassify(session).fault?.code, 'session_ended')
  assert.equal(session.state.held, true)
})

test('relatives inherit both at the start, with an answer and with a step, and never the contrary', () => {
  const bitsOf = ({ state }: SampleSession) => [state.held, state.codeWritten]
  const rows: [Inherits, boolean[]][] = [
    [{}, [false, false]],
    [{ held: false, codeWritten: false }, [false, false]],
    [{ held: true }, [true, false]],
    [{ codeWritten: true }, [false, true]],
    [{ held: true, codeWritten: true }, [true, true]],
  ]
  for (const [inherits, expected] of rows) {
    const delegated = createSampleSession({ rules, started: { root: 'p', inherits } })
    const answered = createSampleSession({ rules })
    answered.propose('read_public')
    answered.complete('c1', { inherits })
    const reported = createSampleSession({ rules })
    reported.propose('read_public', { inherits })
    for (const session of [delegated, answered, reported])
      assert.deepEqual(bitsOf(session), expected, JSON.stringify(inherits))
  }
  const session = sessionAfterLeak()
  session.propose('run_code')
  session.propose('read_public', { inherits: { held: false, codeWritten: false } })
  assert.equal(session.state.held, true)
})

test('a relative of a session that leaked is held before it has read anything', () => {
  const session = createSampleSession({ rules, started: { root: 'p', inherits: { held: true } } })
  assert.deepEqual(judged(session, 'send_email', CLEAN), ['confirm', [HELD]])
})

test("a project's own targets run until the session has written code for them", () => {
  for (const [write, isWritten] of [
    [{ tool: 'write_file', signals: { code: 0 } }, false],
    [{ tool: 'write_file', signals: { code: 1 } }, true],
    [{ tool: 'run_code', signals: { complete: 1 } }, false],
    [{ tool: 'run_code', signals: {} }, true],
  ] as const) {
    const session = createSampleSession({ rules })
    assert.equal(session.propose(write.tool, { signals: write.signals }).decision?.verdict, 'allow')
    session.propose('read_secret')
    assert.equal(session.state.codeWritten, isWritten)
    assert.deepEqual(
      judged(session, 'run_code', RUNNER),
      isWritten ? ['confirm', [UNKNOWN_CODE]] : ['allow', []],
      JSON.stringify(write),
    )
    assert.deepEqual(judged(session, 'run_code', { signals: { complete: 1 } }), ['allow', []])
  }
})

test('a blocked or pending step has written nothing; an approved one has', () => {
  const session = createSampleSession({ rules })
  session.propose('read_secret')
  session.propose('run_code', PRESENT)
  assert.deepEqual([session.state.held, session.state.codeWritten], [true, false])
  const { decision } = session.propose('run_code')
  assert.deepEqual([decision?.verdict, session.state.codeWritten], ['confirm', false])
  session.approve(decision?.id ?? '')
  assert.equal(session.state.codeWritten, true)
})

test('a step without a verdict may have written anything that it may change', () => {
  for (const [tool, isWritten] of [
    ['read_public', false],
    ['write_file', true],
    ['run_code', true],
    ['fetch_page', true],
  ] as const) {
    const completed = createSampleSession({ rules })
    completed.complete('c9', { tool })
    const reported = createSampleSession({ rules })
    reported.propose('read_public', { withoutVerdict: [{ callId: 'u1', tool }] })
    for (const { state } of [completed, reported]) assert.equal(state.codeWritten, isWritten, tool)
  }
})

test('a session is held by a block of the line for data that was found, and by nothing else', () => {
  const block: Reason = { source: 'line', code: 'outgoing_after_sensitive', verdict: 'block', message: '' }
  assert.equal(holdsSession([block], 'present'), true)
  assert.equal(holdsSession([{ ...block, source: 'blocklist' }, block], 'present'), true)
  for (const evidence of ['absent', 'unknown'] as const) assert.equal(holdsSession([block], evidence), false)
  for (const other of [
    { ...block, source: 'blocklist' as const },
    { ...block, verdict: 'confirm' as const },
    { ...block, liftedBy: 'known' },
  ])
    assert.equal(holdsSession([other], 'present'), false, JSON.stringify(other))
  assert.equal(holdsSession([], 'present'), false)
})
