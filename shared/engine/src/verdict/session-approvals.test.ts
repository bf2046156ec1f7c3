import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeState, encodeState } from '../state/record/record.js'
import { type SampleSession, createSampleSession, sampleRules } from '../testing.js'

const SAME = { argumentsDigest: 'a'.repeat(64), signals: { program: 1 } }
const ELSE = { ...SAME, argumentsDigest: 'b'.repeat(64) }
const terms = { scopes: ['once' as const, 'session' as const], arguments: 'same' as const, seconds: 60 }

/** A session that read something sensitive, asks about a program, and gets the scope `session`. */
function approved(): SampleSession {
  const session = createSampleSession({ rules: sampleRules({ sameCall: terms }) })
  run(session, 'read_secret')
  const { decision } = session.propose('run_code', SAME)
  assert.deepEqual(
    [decision?.verdict, decision?.approval?.scopes],
    ['confirm', ['once', 'session']],
    decision?.reasons.map(({ message }) => message).join(),
  )
  const { decision: answer } = session.approve(decision?.id ?? '', {
    scope: 'session',
    argumentsDigest: SAME.argumentsDigest,
  })
  assert.equal(answer?.verdict, 'allow')
  session.complete(answer?.callId ?? '', { tool: 'run_code' })
  return session
}

/** Proposes a step that needs no approval, and completes it. */
function run(session: SampleSession, tool: string, signals = {}): void {
  const { decision } = session.propose(tool, { signals })
  session.complete(decision?.callId ?? '', { tool })
}

const verdictOf = (session: SampleSession, step: typeof SAME) =>
  session.propose('run_code', step).decision?.verdict

test('the same call of a program may be approved for the session', () => {
  const session = approved()
  assert.equal(verdictOf(session, SAME), 'allow')
  assert.equal(session.propose('run_code', SAME).decision?.reasons[0]?.liftedBy, 'approval:a4000')
})

test('such an approval covers no other call, no later hour, and nothing after another step', () => {
  assert.equal(verdictOf(approved(), ELSE), 'confirm')
  const late = approved()
  assert.equal(late.propose('run_code', SAME, late.state.time + 61_000).decision?.verdict, 'confirm')
  for (const [tool, signals] of [
    ['read_keys', {}],
    ['read_secret', {}],
    ['read_public', { complete: 1 }],
    ['write_file', { complete: 1 }],
    ['write_file', { code: 1 }],
    ['fetch_page', {}],
  ] as const) {
    const session = approved()
    run(session, tool, signals)
    assert.equal(verdictOf(session, SAME), 'confirm', tool)
  }
  const other = approved()
  other.approve(other.propose('run_code', ELSE).decision?.id ?? '', { argumentsDigest: ELSE.argumentsDigest })
  assert.equal(verdictOf(other, SAME), 'confirm', 'a program that was approved once may have written code')
  const unasked = approved()
  unasked.complete('c9', { tool: 'read_public' })
  assert.equal(verdictOf(unasked, SAME), 'confirm', 'a step without a verdict')
})

test('it is for what the human was asked: not after another step, nor while one runs', () => {
  const given = { scope: 'session', argumentsDigest: SAME.argumentsDigest } as const
  const asked = () => {
    const session = createSampleSession({ rules: sampleRules({ sameCall: terms }) })
    run(session, 'read_secret')
    return { session, id: session.propose('run_code', SAME).decision?.id ?? '' }
  }
  const between = asked()
  run(between.session, 'write_file')
  assert.equal(between.session.approve(between.id, given).fault?.code, 'approval_mismatch')
  assert.deepEqual(decodeState(encodeState(between.session.state)), {
    kind: 'state',
    state: between.session.state,
  })
  const once = { argumentsDigest: SAME.argumentsDigest }
  assert.equal(between.session.approve(between.id, once).decision?.verdict, 'allow')
  const open = createSampleSession({ rules: sampleRules({ sameCall: terms }) })
  run(open, 'read_secret')
  open.propose('write_file')
  const waiting = open.propose('run_code', SAME).decision?.id ?? ''
  assert.equal(open.approve(waiting, given).fault?.code, 'approval_mismatch')
})

test('programs that are approved for the session do not end each other', () => {
  const session = approved()
  const { decision } = session.propose('run_code', ELSE)
  const given = { scope: 'session', argumentsDigest: ELSE.argumentsDigest } as const
  const answer = session.approve(decision?.id ?? '', given).decision
  session.complete(answer?.callId ?? '', { tool: 'run_code' })
  for (const step of [SAME, ELSE, SAME]) {
    const ran = session.propose('run_code', step).decision
    assert.equal(ran?.verdict, 'allow')
    session.complete(ran?.callId ?? '', { tool: 'run_code' })
  }
})

test('it is not offered for what cannot be taken back, for what carries data that was read, or without a policy for it', () => {
  const scopesOf = (rules: Parameters<typeof sampleRules>[0], step: object) => {
    const session = createSampleSession({ rules: sampleRules(rules) })
    run(session, 'read_secret')
    const { decision } = session.propose('run_code', { ...SAME, ...step })
    return [decision?.verdict, decision?.approval?.scopes.length]
  }
  const line = { present: 'confirm', absent: 'allow', unknown: 'confirm' } as const
  assert.deepEqual(scopesOf({}, {}), ['confirm', 1])
  assert.deepEqual(scopesOf({ sameCall: terms }, { signals: { program: 1, doesDelete: 1 } }), ['confirm', 1])
  assert.deepEqual(scopesOf({ sameCall: terms, line }, { evidence: { sensitive: 'present' } }), [
    'confirm',
    1,
  ])
  assert.deepEqual(scopesOf({ sameCall: terms, line }, {}), ['confirm', 2])
})
