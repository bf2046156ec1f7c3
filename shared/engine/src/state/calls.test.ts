import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isBlind } from '../provenance/sources.js'
import { DIGEST, createSampleSession } from '../testing.js'
import { dropExpiredCalls, isFull, isLive, putCall, removeCall } from './calls.js'
import { type Call, type PendingCall, LIMITS } from './session.js'

const open = (n: number): Call => ({
  status: 'open',
  callId: `o${n}`,
  source: 2,
  credits: [],
  tool: 't',
  digest: '',
  since: 0,
  made: '',
})
const blocked = (n: number): Call => ({ status: 'blocked', callId: `b${n}` })
const pending = (n: number, expiresAt = 100): PendingCall => ({
  status: 'pending',
  callId: `p${n}`,
  decisionId: `d${n}`,
  tool: 't',
  argumentsDigest: DIGEST,
  labels: { exposure: 0, escalation: 0, reversibility: 0, untrusted: false },
  labelled: true,
  derived: false,
  evidence: 'unknown',
  lineEvidence: 'unknown',
  shown: [],
  expiresAt,
  matches: undefined,
  signals: undefined,
  effects: undefined,
  tags: 0,
  readings: undefined,
  made: '',
})
const many = (n: number, make: (i: number) => Call) => Array.from({ length: n }, (_, i) => make(i))
const ids = (calls: readonly Call[]) => calls.map(({ callId }) => callId)

test('a call takes the place of the earlier one of its id', () => {
  const calls = [open(1), { ...open(2), status: 'blocked' as const }]
  assert.deepEqual(putCall(calls, open(2)), [open(1), open(2)])
  assert.equal(removeCall(calls, 'none'), calls)
  assert.deepEqual(ids(removeCall(calls, 'o1')), ['o2'])
})

test('of blocked calls the last few stay, of others all', () => {
  let calls: readonly Call[] = many(3, open)
  for (let i = 0; i < 20; i++) calls = putCall(calls, blocked(i))
  assert.equal(calls.length, 3 + LIMITS.blockedCallsMax)
  assert.deepEqual(ids(calls), ['o0', 'o1', 'o2', 'b12', 'b13', 'b14', 'b15', 'b16', 'b17', 'b18', 'b19'])
})

test('the cap counts open and pending calls, not blocked ones', () => {
  const almost = [...many(16, open), ...many(15, pending)]
  assert.ok(!isFull([...almost, ...many(8, blocked)]))
  assert.ok(isFull([...almost, open(99)]))
})

test('a pending call lives until its approval would come too late', () => {
  assert.ok(isLive(pending(1, 100), 99))
  assert.ok(!isLive(pending(1, 100), 100))
  assert.ok(isLive(open(1), Infinity))
  assert.ok(!isLive(blocked(1), 0))
  assert.deepEqual(dropExpiredCalls([open(1), pending(1, 100), pending(2, 200)], 150), [
    open(1),
    { status: 'blocked', callId: 'p1' },
    pending(2, 200),
  ])
  assert.equal(dropExpiredCalls(many(32, pending), 100).length, LIMITS.blockedCallsMax)
})

test('a session that has 32 open calls is refused further ones until one completes', () => {
  const session = createSampleSession()
  for (let i = 0; i < LIMITS.liveCallsMax; i++) assert.ok(!session.propose('read_file').fault)
  const over = session.propose('read_file')
  assert.equal(over.fault?.code, 'too_many_open_calls')
  assert.equal(over.decision?.verdict, 'block')
  assert.equal(session.state.blocked, 1)
  session.complete('c1')
  assert.equal(session.propose('read_file').decision?.verdict, 'allow')
})

test('expired approval requests do not fill a session for good', () => {
  const session = createSampleSession()
  for (let i = 0; i < LIMITS.liveCallsMax; i++) session.propose('mystery', {}, 2000 + i)
  assert.equal(session.propose('read_file', {}, 3000).fault?.code, 'too_many_open_calls')
  assert.equal(session.propose('read_file', {}, 62_010).decision?.verdict, 'allow')
})

test('a call that is open or waits is not proposed twice; one whose approval is overdue may be', () => {
  const session = createSampleSession()
  session.propose('read_file', { callId: 'x' })
  assert.equal(session.propose('read_file', { callId: 'x' }).fault?.code, 'call_conflict')
  const asked = session.propose('mystery', { callId: 'y' }, 10_000)
  assert.equal(session.propose('mystery', { callId: 'y' }, 69_999).fault?.code, 'call_conflict')
  const again = session.propose('mystery', { callId: 'y' }, 70_000)
  assert.equal(again.decision?.verdict, 'confirm')
  assert.equal(session.approve(asked.decision?.id ?? '').fault?.code, 'approval_unknown')
  assert.equal(session.approve(again.decision?.id ?? '').decision?.verdict, 'allow')
})

test('a step without a verdict beyond the limit counts as run, with unknown sources if it is sensitive', () => {
  for (const [tool, isUnseen] of [
    ['read_secret', true],
    ['read_file', false],
  ] as const) {
    const session = createSampleSession()
    for (let i = 0; i < LIMITS.liveCallsMax; i++) session.propose('read_public')
    session.propose('read_public', { withoutVerdict: [{ callId: 'u1', tool }] })
    const { steps, withoutVerdict, sources, calls } = session.state
    assert.deepEqual([steps, withoutVerdict, calls.length], [LIMITS.liveCallsMax + 1, 1, LIMITS.liveCallsMax])
    assert.equal(isBlind(sources), isUnseen, tool)
  }
})
