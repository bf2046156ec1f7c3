import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Event, logged } from '@plimsoll/contracts'
import { outcomeTransition } from './risk/transitions.js'
import { advance, step } from './step.js'
import {
  PINS,
  createSampleSession,
  eventOf,
  fingerprints,
  rulesCacheOf,
  sampleChain,
  sampleRules,
} from './testing.js'

const at = (event: Event, timeMs = 1000) => logged(event, timeMs)
const rules = sampleRules()

test('a session without a record is lost, not begun again', () => {
  const lost = step(undefined, at(eventOf('step.proposed', 1)), rules)
  assert.equal(lost.fault?.code, 'session_state_lost')
  assert.deepEqual(
    [lost.decision?.kind, lost.decision?.verdict, lost.decision?.step],
    ['refusal', 'block', 0],
  )
  for (const type of ['step.completed', 'session.ended', 'approval.resolved'] as const) {
    const outcome = step(undefined, at(eventOf(type, 1)), rules)
    assert.deepEqual(outcome, { state: undefined, fault: lost.fault })
  }
})

test('a session starts once, from number 0, pinned to the active versions', () => {
  const first = eventOf('session.started', 0, { category: 'data' })
  const { state } = step(undefined, at(first), rules)
  assert.deepEqual([state?.pins, state?.category, state?.time, state?.safety], [PINS, 'data', 1000, 0])
  assert.deepEqual(step(state, at(first), rules), { state })
  const second = step(state, at(eventOf('session.started', 1)), rules)
  assert.equal(second.fault?.code, 'session_already_started')
  assert.equal(second.state, state)
  const late = step(undefined, at(eventOf('session.started', 1)), rules)
  assert.deepEqual([late.state, late.fault?.code], [undefined, 'sequence_gap'])
})

test('a gap is refused and the expectation kept, so that it heals', () => {
  const session = createSampleSession()
  const { state } = session
  const gap = session.feed(eventOf('step.proposed', 2, { tool: 'read_secret' }))
  assert.equal(gap.fault?.code, 'sequence_gap')
  assert.match(gap.fault?.message ?? '', /`agent` sent number `2` where 1 was expected/)
  assert.deepEqual([gap.decision?.kind, gap.decision?.verdict], ['refusal', 'block'])
  assert.equal(session.state, state)
  assert.equal(session.feed(eventOf('step.proposed', 1)).decision?.verdict, 'allow')
  assert.equal(session.feed(eventOf('step.proposed', 2, { callId: 'c2' })).decision?.verdict, 'allow')
})

test('a stale event that the window does not know is refused, a known one repeated', () => {
  const session = createSampleSession()
  session.propose('read_file')
  const { state } = session
  const stale = session.feed(eventOf('step.completed', 1, { id: 'other' }))
  assert.deepEqual([stale.fault?.code, stale.decision], ['sequence_stale', undefined])
  const known = session.feed(eventOf('step.proposed', 1, { tool: 'read_file' }))
  assert.deepEqual(
    [known.decision?.kind, known.decision?.verdict, known.fault],
    ['repeat', 'allow', undefined],
  )
  assert.equal(session.state, state)
})

test('an ended session takes nothing more', () => {
  const session = createSampleSession()
  session.propose('mystery')
  session.end()
  assert.ok(session.state.ended)
  const { safety, steps } = session.state
  assert.equal(session.propose('read_secret').fault?.code, 'session_ended')
  assert.equal(session.complete('c1').fault?.code, 'session_ended')
  assert.equal(session.end().fault?.code, 'session_ended')
  assert.equal(session.approve('s#e1#step').fault?.code, 'approval_unknown')
  assert.deepEqual([session.state.safety, session.state.steps, session.state.ended], [safety, steps, true])
})

test('with the pinned versions away nothing changes, and the event can be sent again', () => {
  const session = createSampleSession()
  const { state } = session
  const event = eventOf('step.proposed', 1)
  const away = advance(state, at(event), rulesCacheOf(rules, { pinned: false }))
  assert.equal(away.state, state)
  assert.equal(away.fault?.code, 'version_unavailable')
  assert.equal(away.decision?.verdict, 'block')
  assert.equal(advance(state, at(event), rulesCacheOf(rules)).decision?.verdict, 'allow')
  assert.equal(advance(undefined, at(eventOf('session.started', 0)), rulesCacheOf(rules)).state?.steps, 0)
  const unstarted = step(undefined, at(eventOf('session.started', 0)), undefined)
  assert.deepEqual([unstarted.state, unstarted.fault?.code], [undefined, 'version_unavailable'])
})

test("a session's time never goes back, whatever the log's clock does", () => {
  const session = createSampleSession()
  const times = [5000, 3000, 6000, 1000].map((ms) => session.propose('read_file', {}, ms).decision?.time)
  assert.deepEqual(times, [5000, 5000, 6000, 6000])
  assert.equal(session.feed(eventOf('step.proposed', 9), 2000).decision?.time, 6000)
  assert.equal(session.feed(eventOf('step.proposed', 1, { tool: 'read_file' }), 2000).decision?.time, 6000)
})

test('several producers number on their own', () => {
  const session = createSampleSession()
  const from = (producer: string, seq: number) =>
    session.feed(
      eventOf('step.proposed', seq, { producer, id: `${producer}${seq}`, callId: `${producer}${seq}` }),
    )
  assert.equal(from('tool-host', 0).decision?.verdict, 'allow')
  assert.equal(from('tool-host', 2).fault?.code, 'sequence_gap')
  assert.equal(from('agent', 1).decision?.verdict, 'allow')
  assert.equal(from('tool-host', 1).decision?.verdict, 'allow')
})

test('the state that goes in is never written to', () => {
  const session = createSampleSession()
  session.propose('mystery')
  const before = session.state
  const copy = structuredClone(before)
  session.propose('read_secret')
  session.complete('c2')
  session.approve('s#e1#step')
  session.end()
  assert.deepEqual(before, copy)
})

test('records a label once, without a decision, for ended sessions too', () => {
  const session = createSampleSession()
  session.propose('read_secret')
  session.end()
  const { state } = session
  const { fault, decision } = session.label({ id: 'l1', callId: 'c1' })
  assert.deepEqual([fault, decision], [undefined, undefined])
  const { time: _time, recent: _recent, ...rest } = session.state
  const { time: _was, recent: _before, ...before } = state
  assert.deepEqual(rest, before)
  const noted = session.state
  session.label({ id: 'l1', callId: 'c1' })
  assert.equal(session.state, noted)
})

test('a label for a session without a record is no fault', () => {
  const event = eventOf('session.labelled', 0)
  assert.deepEqual(step(undefined, logged(event, 1), sampleRules()), { state: undefined })
})

test('an appeal changes no verdict and no state but its own hash, also where there is no record', () => {
  const session = createSampleSession()
  session.propose('mystery', { id: 'e1' })
  const before = session.state
  const event = eventOf('decision.appealed', 0, { id: 'a1' })
  const first = session.feed(event)
  assert.deepEqual([first.decision, first.fault], [undefined, undefined])
  const { recent: _now, ...now } = session.state ?? {}
  const { recent: _then, ...then } = before ?? {}
  assert.deepEqual({ ...now, time: 0 }, { ...then, time: 0 })
  const noted = session.state
  session.feed(event)
  assert.equal(session.state, noted)
  assert.deepEqual(step(undefined, logged(event, 1), sampleRules()), { state: undefined })
})

test('an appeal that a step did harm is counted as a label', () => {
  const session = createSampleSession()
  const counted = (expected: 'allow' | 'block') =>
    outcomeTransition(eventOf('decision.appealed', 0, { expected }), session.state, sampleChain())
  assert.deepEqual(counted('block'), { kind: 'labelledViolated', from: 0, to: 0 })
  assert.equal(counted('allow'), undefined)
})

test('counts a label by the state of the session', () => {
  const session = createSampleSession()
  const chain = sampleChain()
  const reported = (violated: boolean) =>
    outcomeTransition(eventOf('session.labelled', 0, { violated }), session.state, chain)
  assert.deepEqual(reported(true), { kind: 'labelledViolated', from: 0, to: 0 })
  assert.deepEqual(reported(false), { kind: 'labelledSafe', from: 0, to: 0 })
  assert.equal(outcomeTransition(eventOf('session.ended', 0), session.state, chain), undefined)
})

test('an act that the task asks for is done to what the task names', () => {
  const labels = { capability: 'write', reversibility: 'irreversible' } as const
  for (const [asks, objects, verdict] of [
    ['asksDelete', [fingerprints(2, 1)], 'allow'],
    ['asksDelete', [fingerprints(2, 1), fingerprints(9, 2)], 'confirm'],
    ['asksDelete', [], 'allow'],
    ['asksDelete', undefined, 'allow'],
    ['asksSend', [fingerprints(2, 1)], 'confirm'],
  ] as const) {
    const started = { fingerprints: fingerprints(0, 5), signals: { [asks]: 1 } }
    const session = createSampleSession({ rules: sampleRules({ irreversible: 'confirm' }), started })
    const { decision } = session.propose('read_file', {
      labels,
      signals: { doesDelete: 1 },
      ...(objects && { objects: objects.map((names) => [...names]) }),
    })
    assert.equal(decision?.verdict, verdict, `${asks} ${objects?.length ?? 0}`)
    const code = decision?.reasons.find(({ source }) => source === 'irreversible')?.message ?? ''
    assert.equal(/does not name/.test(code), asks === 'asksDelete' && verdict === 'confirm')
  }
})
