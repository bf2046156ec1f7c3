import assert from 'node:assert/strict'
import { test } from 'node:test'
import { safetyState } from './labels/safety-state.js'
import { sampleRules, spec } from './sample-rules.js'
import { createSampleSession } from './sample-session.js'
import type { SessionState } from './state/session.js'

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

test('a completion that nobody proposed is a step that ran withoutVerdict', () => {
  const session = createSampleSession()
  session.complete('c7', { tool: 'read_keys', labels: { capability: 'execute' } })
  assert.equal(session.state.safety, safetyState(4, 2, 0))
  assert.deepEqual(counters(session.state), { steps: 1, blocked: 0, violations: 0, withoutVerdict: 1 })
})

test('a step that ran unjudged raises the level, and one that is harmless keeps it', () => {
  const session = createSampleSession()
  session.complete('c7', { tool: 'read_keys' })
  assert.equal(session.state.level, 2)
  session.complete('c8', { tool: 'send_email' })
  assert.equal(session.state.level, 4)
  session.complete('c9', { tool: 'read_public' })
  assert.equal(session.state.level, 4)
})

test('a result that is said to be untrusted taints; one that is trusted does not', () => {
  const session = createSampleSession()
  session.propose('read_public')
  session.propose('read_public')
  session.complete('c1', { labels: { trust: 'trusted' } })
  assert.equal(session.state.taint, 0)
  session.complete('c2', { labels: { trust: 'untrusted' } })
  assert.equal(session.state.taint, 1)
})

test('a completion of a blocked call, or of one that waits, is a violation that happened', () => {
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

test('steps told as unanswered count as run before the proposal that tells them is judged', () => {
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

test('what a relative has learned is known before the proposal that tells it is judged', () => {
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
