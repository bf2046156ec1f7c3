import assert from 'node:assert/strict'
import { test } from 'node:test'
import { safetyState } from '../labels/safety-state.js'
import { type SessionState, LIMITS } from '../state/session.js'
import { codesOf, createSampleSession, openCalls, sampleRules, spec } from '../testing.js'

const others = [
  {
    name: 'another tool',
    ran: { tool: 'read_keys' },
    says: /`read_secret` was let run, and what ran was `read_keys`/,
  },
  { name: 'other arguments', ran: { argumentsDigest: 'e'.repeat(64) }, says: /what ran was other arguments/ },
] as const

for (const { name, ran, says } of others)
  test(`${name} than allowed is a step without a verdict, with an alert`, () => {
    const session = createSampleSession()
    session.propose('read_secret')
    const outcome = session.complete('c1', ran)
    assert.deepEqual(codesOf(outcome), ['malformed:ran_other_than_proposed'])
    assert.match(outcome.decision?.reasons[0]?.message ?? '', says)
    assert.deepEqual([outcome.decision?.kind, outcome.decision?.callId], ['alert', 'c1'])
    assert.deepEqual([session.state.steps, session.state.withoutVerdict, session.state.calls], [2, 1, []])
  })

test('sends no alert if the allowed step ran', () => {
  const session = createSampleSession()
  const { decision } = session.propose('read_secret')
  const outcome = session.complete('c1', { argumentsDigest: decision?.argumentsDigest })
  assert.equal(outcome.decision, undefined)
  assert.deepEqual([session.state.steps, session.state.withoutVerdict], [1, 0])
})

test('the arguments of a step without a verdict are unknown', () => {
  const session = createSampleSession()
  session.propose('read_public', { withoutVerdict: [{ callId: 'u1', tool: 'read_public' }] })
  assert.equal(session.complete('u1', { argumentsDigest: 'e'.repeat(64) }).decision, undefined)
})

test('an overdue call expires: its place is free, and its unseen results make the sources unknown', () => {
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

test('a late completion still counts', () => {
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

const tools = { read_file: { blocklist: [spec('never')] }, write_file: { confirmation: [spec('ask')] } }
const counters = ({ steps, blocked, violations, withoutVerdict }: SessionState) => ({
  steps,
  blocked,
  violations,
  withoutVerdict,
})

test('an allowed step advances the state at once, with its declared labels', () => {
  const session = createSampleSession()
  session.propose('read_secret')
  assert.equal(session.state.safety, safetyState(3, 0, 0))
  session.propose('fetch_page')
  assert.equal(session.state.safety, safetyState(3, 3, 0))
  assert.equal(session.state.taint, 1)
})

test('a blocked step does not advance it; it is counted', () => {
  const session = createSampleSession({ rules: sampleRules({ tools }) })
  session.propose('read_file')
  assert.equal(session.state.safety, 0)
  assert.deepEqual(counters(session.state), { steps: 0, blocked: 1, violations: 0, withoutVerdict: 0 })
})

test('a completion raises exposure and taint, and closes its call', () => {
  const session = createSampleSession()
  session.propose('read_public')
  session.complete('c1', {
    labels: { confidentiality: 'sensitive', capability: 'network' },
    taint: 'instructions',
  })
  assert.equal(session.state.safety, safetyState(3, 0, 0))
  assert.deepEqual([session.state.level, session.state.taint, session.state.calls], [1, 2, []])
  assert.deepEqual(counters(session.state), { steps: 1, blocked: 0, violations: 0, withoutVerdict: 0 })
})

test('a completion lowers nothing, and neither does a failed call', () => {
  const session = createSampleSession()
  session.propose('read_secret')
  session.propose('fetch_page')
  const { safety, level, taint } = session.state
  session.complete('c1', { labels: { confidentiality: 'public', trust: 'trusted' }, taint: 'none' })
  session.complete('c2', { outcome: 'error' })
  assert.deepEqual([session.state.safety, session.state.level, session.state.taint], [safety, level, taint])
})

test('a completion without a proposal is a step without a verdict', () => {
  const session = createSampleSession()
  session.complete('c7', { tool: 'read_keys', labels: { capability: 'execute' } })
  assert.equal(session.state.safety, safetyState(4, 2, 0))
  assert.deepEqual(counters(session.state), { steps: 1, blocked: 0, violations: 0, withoutVerdict: 1 })
})

test('a step without a verdict raises the level, unless it is harmless', () => {
  const session = createSampleSession()
  session.complete('c7', { tool: 'read_keys' })
  assert.equal(session.state.level, 2)
  session.complete('c8', { tool: 'send_email' })
  assert.equal(session.state.level, 4)
  session.complete('c9', { tool: 'read_public' })
  assert.equal(session.state.level, 4)
})

test('an untrusted result taints; a trusted result does not', () => {
  const session = createSampleSession()
  session.propose('read_public')
  session.propose('read_public')
  session.complete('c1', { labels: { trust: 'trusted' } })
  assert.equal(session.state.taint, 0)
  session.complete('c2', { labels: { trust: 'untrusted' } })
  assert.equal(session.state.taint, 1)
})

test('the completion of a blocked or pending call is a violation', () => {
  const session = createSampleSession({ rules: sampleRules({ tools }) })
  session.propose('read_file')
  session.complete('c1', { tool: 'read_file' })
  assert.equal(session.state.safety, safetyState(2, 0, 0))
  assert.deepEqual(counters(session.state), { steps: 1, blocked: 1, violations: 1, withoutVerdict: 0 })
  const asked = session.propose('write_file')
  session.complete('c3', { tool: 'write_file' })
  assert.equal(session.state.violations, 2)
  assert.equal(session.approve(asked.decision?.id ?? '').fault?.code, 'approval_unknown')
  assert.equal(session.propose('read_public').decision?.risk?.violations, 2)
})

test('steps without a verdict count as run before the proposal that reports them is judged', () => {
  const session = createSampleSession({ rules: sampleRules({ tools }) })
  const { decision } = session.propose('send_email', {
    withoutVerdict: [
      { callId: 'u1', tool: 'read_secret' },
      { callId: 'u2', tool: 'read_public', labels: { trust: 'untrusted' } },
    ],
  })
  assert.equal(decision?.verdict, 'confirm')
  assert.deepEqual(
    decision?.reasons.map(({ source }) => source),
    ['line'],
  )
  assert.deepEqual(counters(session.state), { steps: 2, blocked: 0, violations: 0, withoutVerdict: 2 })
  assert.equal(session.state.taint, 1)
})

test('an unanswered step that was judged meanwhile: open it is nothing new, blocked it is a violation', () => {
  const session = createSampleSession({ rules: sampleRules({ tools }) })
  session.propose('read_public')
  session.propose('read_file')
  session.propose('read_public', {
    withoutVerdict: [
      { callId: 'c1', tool: 'read_public' },
      { callId: 'c2', tool: 'read_file' },
    ],
  })
  assert.deepEqual(counters(session.state), { steps: 3, blocked: 1, violations: 1, withoutVerdict: 0 })
})

test('inherited state counts before the proposal that reports it is judged', () => {
  const rules = sampleRules({ tools })
  const alone = createSampleSession({ rules })
  assert.equal(alone.propose('send_email').decision?.verdict, 'allow')
  const session = createSampleSession({ rules })
  const inherits = { confidentiality: 'sensitive', taint: 'data', unseen: true } as const
  const { decision } = session.propose('send_email', { inherits })
  assert.equal(decision?.verdict, 'confirm')
  assert.deepEqual([session.state.taint, session.state.steps], [1, 0])
  const reported = createSampleSession({ rules })
  reported.propose('read_public', { inherits })
  reported.complete('c1')
  assert.equal(reported.propose('send_email').decision?.verdict, 'confirm')
})
