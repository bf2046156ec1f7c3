import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeState, encodeState } from '../state/record.js'
import { LIMITS } from '../state/session.js'
import {
  codesOf,
  createSampleSession,
  eventOf,
  openCalls,
  sampleChain,
  sampleRules,
  spec,
} from '../testing.js'

const tools = { pay: { labels: sampleRules().tool('send_email').labels, confirmation: [spec('ask')] } }

function asked(rules = sampleRules({ tools })) {
  const session = createSampleSession({ rules })
  const { decision } = session.propose('pay')
  assert.equal(decision?.verdict, 'confirm')
  return { session, id: decision?.id ?? '', decision }
}

test('a step that waits for a human does not advance the state; approved, it does', () => {
  const { session, id } = asked()
  assert.deepEqual([session.state.steps, session.state.safety], [0, 0])
  const { decision } = session.approve(id)
  assert.equal(decision?.kind, 'approval')
  assert.equal(decision?.verdict, 'allow')
  assert.deepEqual([decision?.callId, decision?.tool, decision?.step], ['c1', 'pay', 1])
  assert.deepEqual(
    decision?.reasons.map(({ liftedBy }) => liftedBy),
    ['approval:ann'],
  )
  assert.deepEqual([session.state.steps, session.state.safety], [1, 11])
  assert.deepEqual(openCalls(session.state), [['c1', 2]])
})

test('the conduct of a step that waits is counted once, when it runs', () => {
  const signals = { conductText: 0.75, conductRuns: 1 / 8 }
  const wait = () => {
    const session = createSampleSession({ rules: sampleRules({ tools }) })
    session.propose('read_public', { signals })
    const { conduct } = session.state
    const { decision } = session.propose('pay', { signals })
    assert.equal(session.state.conduct, conduct)
    return { session, conduct, id: decision?.id ?? '' }
  }
  const [approved, unasked, denied] = [wait(), wait(), wait()]
  approved.session.approve(approved.id)
  const { conduct } = approved.session.state
  assert.equal(conduct[0], 2)
  assert.deepEqual(decodeState(encodeState(approved.session.state)), {
    kind: 'state',
    state: approved.session.state,
  })
  approved.session.complete('c2', { tool: 'pay' })
  assert.equal(approved.session.state.conduct, conduct)
  unasked.session.complete('c2', { tool: 'pay' })
  assert.deepEqual(unasked.session.state.conduct, conduct, 'it ran without its answer')
  denied.session.approve(denied.id, { resolution: 'denied' })
  assert.equal(denied.session.state.conduct, denied.conduct)
})

test('an approval is single-use', () => {
  const { session, id } = asked()
  session.approve(id, { id: 'first' })
  const { state } = session
  assert.equal(session.approve(id, { id: 'first' }).decision, undefined)
  assert.equal(session.state, state)
  assert.equal(session.approve(id, { id: 'second' }).fault?.code, 'approval_unknown')
  assert.equal(session.state, state)
})

test('an approval used once does not answer the same question asked again under the same event id', () => {
  const { session, id, decision } = asked()
  const used = eventOf('approval.resolved', 0, {
    id: 'used',
    decisionId: id,
    expiresAt: decision?.expiresAt ?? 0,
  })
  assert.equal(session.feed(used).decision?.verdict, 'allow')
  session.complete('c1', { tool: 'pay' })
  // Long enough for both event and approval to leave the window of recent events.
  for (let i = 0; i < LIMITS.recentMax; i++) {
    session.propose('read_public')
    session.complete(`c${session.state.steps}`)
  }
  const again = session.propose('pay', { id: 'e1' }).decision
  assert.deepEqual([again?.id, again?.verdict], [id, 'confirm'])
  assert.equal(session.feed(used).fault?.code, 'approval_mismatch')
  assert.equal(session.approve(id).decision?.verdict, 'allow')
})

test('an approval that fits no waiting step changes nothing', () => {
  const { session, id } = asked()
  const { state } = session
  const mismatch = session.approve(id, { argumentsDigest: 'e'.repeat(64) })
  assert.equal(mismatch.fault?.code, 'approval_mismatch')
  assert.equal(session.approve('s#none#step').fault?.code, 'approval_unknown')
  assert.equal(session.state, state)
  assert.equal(session.approve(id).decision?.verdict, 'allow')
})

test('denied, or too late, the step stays blocked', () => {
  const denied = asked()
  const no = denied.session.approve(denied.id, { resolution: 'denied' })
  assert.deepEqual([no.decision?.verdict, codesOf(no)], ['block', ['approval:approval_denied']])
  const late = asked()
  const expiresAt = late.decision?.expiresAt ?? 0
  const tooLate = late.session.approve(late.id, {}, expiresAt)
  assert.deepEqual([tooLate.decision?.verdict, codesOf(tooLate)], ['block', ['approval:approval_expired']])
  for (const { session, id } of [denied, late]) {
    assert.deepEqual(session.state.calls, [{ status: 'blocked', callId: 'c1' }])
    assert.deepEqual([session.state.steps, session.state.blocked], [0, 1])
    assert.equal(session.approve(id, { id: 'again' }).fault?.code, 'approval_unknown')
  }
  const justInTime = asked()
  const yes = justInTime.session.approve(justInTime.id, {}, (justInTime.decision?.expiresAt ?? 0) - 1)
  assert.equal(yes.decision?.verdict, 'allow')
})

test('a reason that was not shown is a new approval request with its own id', () => {
  const { session, id } = asked()
  session.propose('read_secret')
  const again = session.approve(id, { id: 'first' })
  assert.equal(again.decision?.verdict, 'confirm')
  assert.deepEqual(codesOf(again), ['line:outgoing_after_sensitive', '-confirmation:ask'])
  assert.equal(session.approve(id, { id: 'old' }).fault?.code, 'approval_unknown')
  const yes = session.approve(again.decision?.id ?? '', { id: 'second' })
  assert.deepEqual(
    [yes.decision?.verdict, codesOf(yes)],
    ['allow', ['-line:outgoing_after_sensitive', '-confirmation:ask']],
  )
})

test('an approval does not lift a reason that blocks now', () => {
  const chain = sampleChain({ hazard: (s) => (s >= 36 ? 0.9 : 0.45) })
  const { session, id } = asked(sampleRules({ tools, chain }))
  session.use(sampleRules({ tools }))
  session.propose('read_secret')
  session.use(sampleRules({ tools, chain, line: { present: 'allow', absent: 'allow', unknown: 'allow' } }))
  const { decision } = session.approve(id)
  assert.equal(decision?.verdict, 'block')
  assert.equal(decision?.reasons.find(({ source }) => source === 'hazard')?.liftedBy, undefined)
  assert.equal(session.state.calls.find(({ callId }) => callId === 'c1')?.status, 'blocked')
})

test('a warning stays a warning when the rest is approved', () => {
  const chain = sampleChain({ hazard: () => 0.3 })
  const { session, id } = asked(sampleRules({ tools, chain }))
  const { decision } = session.approve(id)
  assert.equal(decision?.verdict, 'warn')
  assert.equal(session.state.steps, 1)
})

test("the retry of a step answers with its approval's outcome", () => {
  const retry = eventOf('step.proposed', 1, { tool: 'pay' })
  const waiting = asked()
  const { decision } = waiting.session.feed(retry)
  assert.deepEqual([decision?.kind, decision?.verdict], ['repeat', 'confirm'])
  assert.equal(decision?.expiresAt, waiting.decision?.expiresAt)
  waiting.session.approve(waiting.id)
  assert.equal(waiting.session.feed(retry).decision?.verdict, 'allow')
  const denied = asked()
  denied.session.approve(denied.id, { resolution: 'denied' })
  assert.equal(denied.session.feed(retry).decision?.verdict, 'block')
})

test('with the versions away an approval waits too', () => {
  const { session, id } = asked()
  const { state } = session
  session.use(undefined)
  assert.equal(session.approve(id).fault?.code, 'version_unavailable')
  assert.equal(session.state, state)
  session.use(sampleRules({ tools }))
  assert.equal(session.approve(id).decision?.verdict, 'allow')
})

test('two steps never wait under one id', () => {
  const { session, id } = asked()
  const twin = session.propose('pay', { id: 'e1' })
  assert.equal(twin.fault?.code, 'call_conflict')
  assert.equal(twin.decision?.verdict, 'block')
  assert.equal(session.approve(id).decision?.callId, 'c1')
})
