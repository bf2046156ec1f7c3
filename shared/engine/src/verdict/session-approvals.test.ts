import assert from 'node:assert/strict'
import { test } from 'node:test'
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

test('such an approval covers no other call, no later hour, nothing more that was read, and no code that was written', () => {
  assert.equal(verdictOf(approved(), ELSE), 'confirm')
  const more = approved()
  run(more, 'read_keys')
  assert.equal(verdictOf(more, SAME), 'confirm')
  const written = approved()
  run(written, 'write_file', { code: 1 })
  assert.equal(verdictOf(written, SAME), 'confirm')
  const text = approved()
  run(text, 'write_file', { complete: 1 })
  assert.equal(verdictOf(text, SAME), 'allow', 'a text is no code')
  const other = approved()
  other.approve(other.propose('run_code', ELSE).decision?.id ?? '', { argumentsDigest: ELSE.argumentsDigest })
  assert.equal(verdictOf(other, SAME), 'confirm', 'a program that was approved once may have written code')
  const late = approved()
  assert.equal(late.propose('run_code', SAME, late.state.time + 61_000).decision?.verdict, 'confirm')
  const unasked = approved()
  unasked.complete('c9', { tool: 'write_file' })
  assert.equal(verdictOf(unasked, SAME), 'confirm', 'a step without a verdict may have written code')
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
