import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ApprovalTerms } from '@plimsoll/contracts'
import { decodeState, encodeState } from '../state/record/record.js'
import { LIMITS, repin } from '../state/session.js'
import {
  type SampleSession,
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
  const no = denied.session.approve(denied.id, { resolution: 'denied', reason: 'not\n to them ' })
  assert.deepEqual([no.decision?.verdict, codesOf(no)], ['block', ['approval:approval_denied']])
  assert.match(no.decision?.reasons[0]?.message ?? '', /^`[^`]+` denied the step: not  ?to them$/)
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

describe('an approval for the session', () => {
  const terms = { scopes: ['once', 'session'], seconds: 60 } as const
  const labels = { exposure: 0, escalation: 1, reversibility: 1, untrusted: false }
  const world = (approval: ApprovalTerms = { ...terms, scopes: [...terms.scopes] }, over: object = {}) => {
    const rules = sampleRules({
      tools: {
        save: { labels, confirmation: [{ ...spec('ask'), approval }], ...over },
        other: { labels, confirmation: [{ ...spec('ask'), approval }] },
      },
    })
    const session = createSampleSession({ rules })
    const { decision } = session.propose('save', { argumentsDigest: SAME })
    return { session, id: decision?.id ?? '', decision }
  }
  const SAME = 'a'.repeat(64)
  const ELSE = 'b'.repeat(64)

  test('lets like steps run, names itself, and survives its record', () => {
    const { session, id, decision } = world()
    assert.deepEqual(decision?.approval?.scopes, ['once', 'session'])
    assert.equal(session.approve(id, { scope: 'session', argumentsDigest: SAME }).decision?.verdict, 'allow')
    assert.deepEqual(decodeState(encodeState(session.state)), { kind: 'state', state: session.state })
    const [given] = session.state.approvals
    const next = session.propose('save', { argumentsDigest: SAME }).decision
    assert.deepEqual([next?.verdict, next?.reasons[0]?.liftedBy], ['allow', `approval:${given?.id}`])
  })

  test('the scope always has the strictest terms of the reasons that ask', () => {
    const any = { scopes: ['once', 'session', 'always'], arguments: 'any', seconds: 60, days: 30 } as const
    const same = { ...any, arguments: 'same', days: 7 } as const
    const permitted = (...each: readonly (object | undefined)[]) => {
      const confirmation = each.map((approval, i) => ({
        ...spec(`ask-${i}`),
        approval: approval as ApprovalTerms,
      }))
      const session = createSampleSession({
        rules: sampleRules({ tools: { save: { labels, confirmation } } }),
      })
      const { scopes, always } = session.propose('save').decision?.approval ?? {}
      return { scopes: scopes?.length, always }
    }
    assert.deepEqual(permitted(any), { scopes: 3, always: { arguments: 'any', days: 30 } })
    assert.deepEqual(permitted(any, same), { scopes: 3, always: { arguments: 'same', days: 7 } })
    assert.deepEqual(permitted(any, terms), { scopes: 2, always: undefined })
    assert.deepEqual(permitted(any, undefined), { scopes: 1, always: undefined })
  })

  test('once is once', () => {
    const { session, id } = world()
    session.approve(id, { argumentsDigest: SAME })
    assert.equal(session.propose('save', { argumentsDigest: SAME }).decision?.verdict, 'confirm')
  })

  const asks: readonly (readonly [string, string, Parameters<SampleSession['propose']>[1]])[] = [
    ['other arguments', 'save', { argumentsDigest: ELSE }],
    ['another tool', 'other', { argumentsDigest: SAME }],
    ['worse labels', 'save', { argumentsDigest: SAME, labels: { capability: 'network' } }],
    ['an irreversible act', 'save', { argumentsDigest: SAME, signals: { doesDelete: 1 } }],
  ]
  for (const [what, tool, step] of asks)
    test(`is not for ${what}`, () => {
      const { session, id } = world()
      session.approve(id, { scope: 'session', argumentsDigest: SAME })
      assert.equal(session.propose(tool, step).decision?.verdict, 'confirm')
    })

  test('is for any arguments where the policy says so, until it expires or is revoked', () => {
    const { session, id } = world({ scopes: ['once', 'session'], arguments: 'any', seconds: 60 })
    session.approve(id, { scope: 'session', argumentsDigest: SAME })
    assert.equal(session.propose('save', { argumentsDigest: ELSE }).decision?.verdict, 'allow')
    const program = { argumentsDigest: SAME, signals: { program: 1 } }
    assert.equal(session.propose('save', program).decision?.verdict, 'confirm', 'a program never with any')
    const [given] = session.state.approvals
    const revoked = session.revoke(given?.id ?? '')
    assert.deepEqual([revoked.fault, session.state.approvals], [undefined, []])
    assert.equal(session.revoke('x').fault?.code, 'approval_unknown')
    const asked = session.propose('save', { argumentsDigest: ELSE }).decision
    assert.equal(asked?.verdict, 'confirm')
    session.approve(asked?.id ?? '', { scope: 'session', argumentsDigest: ELSE })
    const late = session.propose('save', { argumentsDigest: SAME }, session.state.time + 61_000)
    assert.equal(late.decision?.verdict, 'confirm')
  })

  for (const [what, approval, over] of [
    ['the policy does not permit it', { scopes: ['once'], seconds: 60 }, {}],
    ['the step is irreversible', undefined, { labels: { ...labels, reversibility: 2 } }],
    ['the name says that it is irreversible', undefined, { isFinalByName: true }],
  ] satisfies [string, ApprovalTerms | undefined, object][])
    test(`is refused where ${what}; the request stays open`, () => {
      const { session, id, decision } = world(approval, over)
      assert.deepEqual(decision?.approval?.scopes, ['once'])
      const refused = session.approve(id, { scope: 'session', argumentsDigest: SAME })
      assert.equal(refused.fault?.code, 'approval_mismatch')
      assert.equal(session.approve(id, { argumentsDigest: SAME }).decision?.verdict, 'allow')
    })

  test('is given for each of two steps that wait at once', () => {
    const { session, id } = world()
    const twin = session.propose('save', { argumentsDigest: SAME }).decision?.id ?? ''
    for (const each of [id, twin]) {
      const { decision, fault } = session.approve(each, { scope: 'session', argumentsDigest: SAME })
      assert.deepEqual([decision?.verdict, fault], ['allow', undefined])
    }
    assert.equal(session.state.approvals.length, 1, 'the first one covers the second step')
  })

  test('ends with the policy under which it was given', () => {
    const { session, id } = world()
    session.approve(id, { scope: 'session', argumentsDigest: SAME })
    const { pins, approvals } = session.state
    assert.deepEqual(repin(session.state, { ...pins, catalogue: 'q'.repeat(32) }).approvals, approvals)
    assert.deepEqual(repin(session.state, { ...pins, policy: 'q'.repeat(32) }).approvals, [])
  })

  test('lifts no block and no reason that was not shown', () => {
    const { session, id } = world()
    session.approve(id, { scope: 'session', argumentsDigest: SAME })
    session.report({ mode: 'enforce', stop: { by: 'ops' } })
    assert.equal(session.propose('save', { argumentsDigest: SAME }).decision?.verdict, 'block')
  })

  test('only the last ones are kept', () => {
    const { session, id } = world({ scopes: ['once', 'session'], seconds: 60 })
    session.approve(id, { scope: 'session', argumentsDigest: SAME })
    for (let i = 0; i < LIMITS.approvalsMax + 4; i++) {
      const argumentsDigest = i.toString(16).padStart(2, '0').repeat(32)
      const asked = session.propose('save', { argumentsDigest }).decision
      session.approve(asked?.id ?? '', { scope: 'session', argumentsDigest })
      session.complete(asked?.callId ?? '', { tool: 'save' })
    }
    assert.equal(session.state.approvals.length, LIMITS.approvalsMax)
    assert.deepEqual(decodeState(encodeState(session.state)), { kind: 'state', state: session.state })
  })
})
