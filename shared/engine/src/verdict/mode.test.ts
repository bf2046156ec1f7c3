import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Facts } from '../rules.js'
import { codesOf, createSampleSession, eventOf, openCalls, sampleRules, spec } from '../testing.js'

const OBSERVE: Facts = { mode: 'observe' }
const ENFORCE: Facts = { mode: 'enforce' }

const rules = sampleRules({
  tools: {
    write_file: { blocklist: [spec('no-writes', 'read it')] },
    run_code: { confirmation: [spec('ask')] },
  },
})

function observed() {
  const session = createSampleSession({ rules })
  session.report(OBSERVE)
  return session
}

test('observed, a step that would be blocked counts as run, as blocked and as a violation', () => {
  const session = observed()
  const { decision } = session.propose('write_file')
  assert.deepEqual(
    [decision?.verdict, decision?.mode, decision?.alternative, decision?.step],
    ['block', 'observe', 'read it', 1],
  )
  const { steps, blocked, violations, safety } = session.state
  assert.deepEqual([steps, blocked, violations, safety], [1, 1, 1, 4])
  session.complete('c1', { tool: 'write_file' })
  const { state } = session
  assert.deepEqual([state.steps, state.blocked, state.violations, state.calls], [1, 1, 1, []])
})

test('observe mode runs a step that would need approval at once', () => {
  const session = observed()
  const { decision } = session.propose('run_code')
  assert.deepEqual([decision?.verdict, decision?.expiresAt], ['confirm', undefined])
  assert.deepEqual(openCalls(session.state), [['c1', 2]])
  assert.deepEqual([session.state.steps, session.state.violations, session.state.blocked], [1, 0, 0])
  assert.equal(session.approve('s#e1#step').fault?.code, 'approval_unknown')
})

test('observed, the verdicts are those that would be enforced', () => {
  const [seen, enforced] = [observed(), createSampleSession({ rules })]
  for (const tool of ['read_public', 'read_secret', 'fetch_page', 'mystery'])
    assert.deepEqual(codesOf(seen.propose(tool)), codesOf(enforced.propose(tool)), tool)
})

test('observe mode lets steps without a verdict run, and reports the fault to the publisher', () => {
  const session = observed()
  const gap = session.feed(eventOf('step.proposed', 9))
  assert.deepEqual(
    [gap.fault?.code, gap.decision?.mode, gap.decision?.verdict],
    ['sequence_gap', 'observe', 'block'],
  )
  session.propose('read_file', { callId: 'same' })
  const conflict = session.propose('read_file', { callId: 'same' })
  assert.deepEqual([conflict.fault?.code, conflict.decision?.mode], ['call_conflict', 'observe'])
  session.report(ENFORCE)
  assert.equal(session.feed(eventOf('step.proposed', 9)).decision?.mode, 'enforce')
})

test('a retry is answered in the mode of its moment', () => {
  const session = observed()
  session.propose('write_file')
  const retry = eventOf('step.proposed', 1, { tool: 'write_file' })
  const repeated = session.feed(retry).decision
  assert.deepEqual([repeated?.kind, repeated?.verdict, repeated?.mode], ['repeat', 'block', 'observe'])
  session.report(ENFORCE)
  assert.equal(session.feed(retry).decision?.mode, 'enforce')
})

test('the retry of a step that was blocked and never counted stays blocked, whatever the mode by now', () => {
  const session = createSampleSession({ rules })
  session.propose('write_file')
  session.report(OBSERVE)
  const repeated = session.feed(eventOf('step.proposed', 1, { tool: 'write_file' })).decision
  assert.deepEqual([repeated?.kind, repeated?.verdict, repeated?.mode], ['repeat', 'block', 'enforce'])
  assert.equal(session.state.steps, 0)
})

test('the retry of a pending step says that it waits, in either mode', () => {
  const session = createSampleSession({ rules })
  session.propose('run_code')
  session.report(OBSERVE)
  const { decision } = session.feed(eventOf('step.proposed', 1, { tool: 'run_code' }))
  assert.deepEqual([decision?.kind, decision?.verdict, decision?.mode], ['repeat', 'confirm', 'enforce'])
})

test('a question asked before the mode changed keeps its answer: denied or unanswered it is blocked', () => {
  for (const answer of ['denied', 'no answer'] as const) {
    const session = createSampleSession({ rules })
    const { decision } = session.propose('run_code')
    const id = decision?.id ?? ''
    session.report(OBSERVE)
    const outcome =
      answer === 'denied'
        ? session.approve(id, { resolution: 'denied' })
        : session.reach({ kind: 'approval', decisionId: id }, decision?.expiresAt ?? 0)
    assert.deepEqual([outcome.decision?.verdict, outcome.decision?.mode], ['block', 'enforce'], answer)
    assert.deepEqual([session.state.steps, session.state.blocked], [0, 1])
  }
})

test('approved after the mode changed it runs, whatever else would be asked by now', () => {
  const session = createSampleSession({ rules })
  const { decision } = session.propose('run_code')
  session.report(OBSERVE)
  session.use(sampleRules({ tools: { run_code: { confirmation: [spec('ask'), spec('more')] } } }))
  const approved = session.approve(decision?.id ?? '')
  assert.deepEqual([approved.decision?.verdict, approved.decision?.mode], ['confirm', 'observe'])
  assert.deepEqual(openCalls(session.state), [['c1', 2]])
  assert.equal(session.state.steps, 1)
})

test('enforcing again keeps the observed steps counted and blocks the next', () => {
  const session = observed()
  session.propose('read_secret')
  session.propose('send_email', { evidence: { sensitive: 'present' } })
  assert.equal(session.state.violations, 1)
  session.report(ENFORCE)
  const { decision } = session.propose('send_email', { evidence: { sensitive: 'present' } })
  assert.deepEqual([decision?.verdict, decision?.risk?.violations], ['block', 1])
  assert.equal(session.state.steps, 2)
})

test("an upgrade raises the labels of a pending step to the new catalogue's", () => {
  for (const [tool, labels, expected] of [
    [
      'run_code',
      { exposure: 4, escalation: 0, reversibility: 2, untrusted: true },
      ['credentials', 'code_exec', 'data'],
    ],
    [
      'mystery',
      { exposure: 0, escalation: 3, reversibility: 0, untrusted: false },
      ['internal', 'network', 'none'],
    ],
  ] as const) {
    const session = createSampleSession({ rules })
    const { decision } = session.propose(tool, { signals: { complete: 1 } })
    assert.equal(decision?.verdict, 'confirm')
    session.use(sampleRules({ tools: { [tool]: { labels } } }))
    const approved = session.approve(decision?.id ?? '').decision
    assert.equal(approved?.verdict, 'allow', tool)
    const { exposure, escalation, taint } = approved.risk ?? {}
    assert.deepEqual([exposure, escalation, taint], expected)
  }
})
