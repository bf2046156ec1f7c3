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

const READ_ONLY = { scripts: HARMFUL.scripts }
const isAskedAsRead = (session: Session, callId: string, members: object = {}): boolean =>
  session
    .propose('run_code', { callId, runs: [NAME], ...members })
    .decision?.reasons.some(({ message }) => /script that this session has read/.test(message)) === true

function withReading(started: object = {}): Session {
  const session = createSampleSession({ rules: RULES, started })
  session.propose('run_code', { callId: 'r' })
  session.complete('r', { tool: 'run_code', ...READ_ONLY })
  return session
}

test('a script that was read counts when it runs, also from the record', () => {
  const session = withReading()
  assert.deepEqual(decodeState(encodeState(session.state)), { kind: 'state', state: session.state })
  assert.ok(isAskedAsRead(session, 'a'))
  assert.ok(!isAskedAsRead(session, 'b', { runs: ['pscriptb'] }))
  assert.ok(!isAskedAsRead(withReading({ signals: { asksDelete: 1 }, fingerprints: ['pothers2'] }), 'c'))
})

test('a task that names the file knows what it does; it does not know what the session wrote into it', () => {
  const named = { runFiles: [['pscriptf']] }
  const started = { fingerprints: ['pscriptf'] }
  assert.ok(!isAskedAsRead(withReading(started), 'a', named))
  assert.ok(isAskedAsRead(withReading(started), 'b'))
  assert.ok(isAskedAsRead(withReading(), 'c', named))
  assert.ok(isAskedAsRead(withReading(started), 'd', { runFiles: [['pothersf']] }))
  const written = withReading(started)
  written.propose('run_code', { callId: 'w', ...HARMFUL })
  written.complete('w', { tool: 'run_code' })
  assert.ok(isAsked(written, 'e', named))
  assert.ok(!isAskedAsRead(written, 'f', named))
})

test('reading takes nothing back; a clean writing does', () => {
  const written = withScript(HARMFUL)
  written.propose('run_code', { callId: 'r' })
  written.complete('r', { tool: 'run_code', ...READ_ONLY })
  assert.ok(isAsked(written, 'a', { runFiles: [['pscriptf']] }))
  const read = withReading()
  read.propose('run_code', { callId: 'c' })
  read.complete('c', { tool: 'run_code', ...CLEAN })
  assert.ok(isAskedAsRead(read, 'b'))
  read.propose('run_code', { callId: 'x', ...CLEAN })
  read.complete('x', { tool: 'run_code' })
  assert.ok(!isAskedAsRead(read, 'd'))
})

test('readings are bounded, and push out nothing that the session wrote', () => {
  const session = withScript(HARMFUL)
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  const nameOf = (i: number): string => `pread${letters[i % 26]}${letters[Math.floor(i / 26)]}2`
  for (let i = 0; i < 100; i++) {
    session.propose('run_code', { callId: `r${i}` })
    session.complete(`r${i}`, {
      tool: 'run_code',
      scripts: HARMFUL.scripts.map((each) => ({ ...each, name: nameOf(i) })),
    })
  }
  assert.ok(isAsked(session, 'a'))
  assert.ok(isAskedAsRead(session, 'b', { runs: [nameOf(99)] }))
  assert.ok(!isAskedAsRead(session, 'c', { runs: [nameOf(9)] }))
  assert.deepEqual(decodeState(encodeState(session.state)), { kind: 'state', state: session.state })
})

test('making many things frees no script', () => {
  const session = withScript(HARMFUL)
  for (let n = 0; n < 20; n++) {
    const made = Array.from({ length: 8 }, (_, i) => `p${String.fromCharCode(97 + n, 97 + i)}aaaaa`)
    session.propose('run_code', { callId: `m${n}`, made })
    session.complete(`m${n}`, { tool: 'run_code' })
  }
  assert.ok(isAsked(session, 'a'))
})
