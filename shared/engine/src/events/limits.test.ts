import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeState, encodeState } from '../state/record/record.js'
import { createSampleSession, sampleRules } from '../testing.js'

const TESTS = 'ptestsaa'
const CHANGE = { changes: [['pothernm', TESTS]] }
const RULES = {
  ...sampleRules(),
  integrity: { untrusted: 'warn', instructed: 'confirm', irreversible: 'block' },
} as const

type Session = ReturnType<typeof createSampleSession>
const isAsked = (session: Session, callId: string): boolean =>
  session
    .propose('write_file', { callId, ...CHANGE })
    .decision?.reasons.some(({ code, verdict }) => code === 'forbidden_by_task' && verdict === 'confirm') ===
  true

test('a change that the task forbids asks, also from the record; a later text of the user lifts it', () => {
  const session = createSampleSession({ rules: RULES, started: { limits: { never: [TESTS] } } })
  assert.deepEqual(decodeState(encodeState(session.state)), { kind: 'state', state: session.state })
  assert.ok(isAsked(session, 'a'))
  session.instruct({ limits: { allows: [TESTS] } })
  assert.ok(!isAsked(session, 'b'))
})

test('a session without limits changes what it likes, whatever a client says of it', () => {
  const session = createSampleSession({ rules: RULES })
  const { decision } = session.propose('write_file', { callId: 'a', ...CHANGE, signals: { forbidden: 1 } })
  assert.deepEqual(
    decision?.reasons.filter(({ code }) => code === 'forbidden_by_task'),
    [],
  )
  assert.ok(!isAsked(session, 'b'))
})

test('in a delegated session an agent may set limits, and lifts none', () => {
  const inherits = { root: 'parent', inherits: {} } as const
  const session = createSampleSession({ rules: RULES, started: { ...inherits, limits: { never: [TESTS] } } })
  session.instruct({ limits: { allows: [TESTS], goes: true } })
  assert.ok(isAsked(session, 'a'))
  session.instruct({ limits: { only: ['pothernm'] } })
  const other = createSampleSession({ rules: RULES, started: inherits })
  other.instruct({ limits: { never: [TESTS] } })
  assert.ok(isAsked(other, 'a'))
})
