import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeState, encodeState } from '../state/record/record.js'
import { createSampleSession, sampleRules } from '../testing.js'

const NAME = 'pscripta'
const RULES = { ...sampleRules(), irreversible: 'confirm' } as const
const HARMFUL = { scripts: [{ name: NAME, does: ['delete' as const], objects: [['pothers2']] }] }
const CLEAN = { scripts: [{ name: NAME, does: [] }] }

type Session = ReturnType<typeof createSampleSession>
const isAsked = (session: Session, callId: string, members: object = {}): boolean =>
  session
    .propose('run_code', { callId, runs: [NAME], ...members })
    .decision?.reasons.some(({ source, message }) => source === 'irreversible' && /script/.test(message)) ===
  true

function withScript(members: object, started: object = {}): Session {
  const session = createSampleSession({ rules: RULES, started })
  session.propose('run_code', { callId: 'w', ...members })
  session.complete('w', { tool: 'run_code' })
  return session
}

test('a script counts when it runs, also from the record and in the step that writes it', () => {
  const session = withScript(HARMFUL)
  assert.deepEqual(decodeState(encodeState(session.state)), { kind: 'state', state: session.state })
  assert.ok(isAsked(session, 'a'))
  assert.ok(isAsked(createSampleSession({ rules: RULES }), 'b', HARMFUL))
})

test('a script that failed to be written, that does nothing of the kind, or that the task asks for does not', () => {
  const session = createSampleSession({ rules: RULES })
  session.propose('run_code', { callId: 'w', ...HARMFUL })
  session.complete('w', { tool: 'run_code', outcome: 'error' })
  assert.ok(!isAsked(session, 'a'))
  assert.ok(!isAsked(withScript(CLEAN), 'b'))
  const asked = { signals: { asksDelete: 1 }, fingerprints: ['pothers2'] }
  assert.ok(!isAsked(withScript(HARMFUL, asked), 'c'))
  assert.ok(isAsked(withScript(HARMFUL, { ...asked, fingerprints: ['wunlike2'] }), 'd'))
})

test('a script that is written again without such acts is free', () => {
  const session = withScript(HARMFUL)
  session.propose('run_code', { callId: 'x', ...CLEAN })
  session.complete('x', { tool: 'run_code' })
  assert.ok(!isAsked(session, 'a'))
})

test('a client cannot say that a step runs one', () => {
  const session = createSampleSession({ rules: RULES })
  assert.ok(!isAsked(session, 'a', { signals: { scripted: 1 }, runs: undefined }))
})
