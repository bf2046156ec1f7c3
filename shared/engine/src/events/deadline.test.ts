import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventSchema, logged } from '@plimsoll/contracts'
import { NO_FACTS } from '../rules.js'
import { step } from '../step.js'
import { DIGEST, codesOf, createSampleSession, eventOf } from '../testing.js'
import { deadlineIdOf, nextDeadline } from './deadline.js'

/** A session that waits for a human since second 2; the question ends at second 62. */
function asking() {
  const session = createSampleSession()
  const { decision } = session.propose('mystery')
  assert.equal(decision?.expiresAt, 62_000)
  return { session, due: { kind: 'approval', decisionId: decision?.id ?? '' } as const }
}

test('an approval request without an answer is denied, and the step stays blocked', () => {
  const { session, due } = asking()
  assert.deepEqual(nextDeadline(session.state), { approvalMs: 62_000 })
  const outcome = session.reach(due, 62_000)
  const { decision } = outcome
  assert.deepEqual(codesOf(outcome), ['approval:approval_expired'])
  assert.deepEqual(
    [decision?.kind, decision?.verdict, decision?.eventId, decision?.callId, decision?.time],
    ['approval', 'block', 'deadline:approval:e1', 'c1', 62_000],
  )
  assert.equal(decision?.reasons[0]?.message, 'no answer came in time')
  assert.deepEqual([session.state.steps, session.state.blocked, session.state.safety], [0, 1, 0])
  assert.deepEqual(nextDeadline(session.state), {})
  assert.equal(session.approve(due.decisionId).fault?.code, 'approval_unknown')
})

test('a deadline that is early, for another question, or comes again changes nothing and is not remembered', () => {
  const { session, due } = asking()
  const before = session.state
  assert.deepEqual(session.reach(due, 62_000, 61_999), { state: before })
  assert.deepEqual(session.reach({ ...due, decisionId: 's#e9#step' }, 62_000, 63_000), { state: before })
  assert.equal(session.reach(due, 62_000, 62_000).decision?.verdict, 'block')
  const denied = session.state
  const again = session.reach(due, 62_000, 64_000)
  assert.deepEqual(again, { state: denied })
  assert.equal(again.state, denied)
})

test('nor does one for a question that was answered, or a session that is over or unknown', () => {
  const { session, due } = asking()
  assert.equal(session.approve(due.decisionId).decision?.verdict, 'allow')
  const answered = session.state
  assert.equal(session.reach(due, 62_000, 90_000).state, answered)
  session.end()
  const over = session.state
  assert.equal(session.reach({ kind: 'idle', lastEventAt: over.time }, 0, 900_000).state, over)
  const event = eventOf('deadline.reached', 0, { due })
  assert.deepEqual(step(undefined, logged(event, 0), undefined), { state: undefined })
})

test('of several questions each has its own end, and the earliest comes due next', () => {
  const { session, due } = asking()
  const second = session.propose('mystery', {}, 30_000)
  assert.deepEqual(nextDeadline(session.state), { approvalMs: 62_000 })
  assert.equal(session.reach(due, 62_000).decision?.callId, 'c1')
  assert.deepEqual(nextDeadline(session.state), { approvalMs: 90_000 })
  const waiting = session.approve(second.decision?.id ?? '', {}, 70_000)
  assert.equal(waiting.decision?.verdict, 'allow')
})

test('without its rules a question stays, and its deadline can come again', () => {
  const { session, due } = asking()
  const { state } = session
  const event = eventOf('deadline.reached', 0, { due })
  assert.deepEqual(step(state, logged(event, 62_000), undefined), { state })
})

test('a session without events since then ends', () => {
  const session = createSampleSession()
  session.propose('read_file')
  const { time } = session.state
  const due = { kind: 'idle', lastEventAt: time } as const
  const before = session.state
  assert.equal(session.reach(due, time + 5000, time + 4999).state, before, 'before it is due')
  const { state, decision, fault } = session.reach(due, time + 5000)
  assert.deepEqual([state?.ended, state?.calls, decision, fault], [true, [], undefined, undefined])
  assert.equal(state?.time, time + 5000)
  assert.equal(session.propose('read_file').fault?.code, 'session_ended')
})

test('a session with an event in between does not end', () => {
  const session = createSampleSession()
  const lastEventAt = session.state.time
  session.propose('read_file')
  const before = session.state
  assert.equal(session.reach({ kind: 'idle', lastEventAt }, lastEventAt + 5000, 90_000).state, before)
})

test('a deadline has no place in the numbers of its producer', () => {
  const { session, due } = asking()
  session.reach(due, 62_000)
  assert.deepEqual(
    session.state.producers.map(({ name }) => name),
    ['agent'],
  )
  const other = createSampleSession()
  const event = eventOf('deadline.reached', 7, { due: { kind: 'idle', lastEventAt: 1000 }, dueAt: 2000 })
  assert.equal(step(other.state, logged(event, 2000), undefined, NO_FACTS).state?.ended, true)
})

test("a deadline's id is made of its subject, and fits the contract for the longest ids", () => {
  assert.equal(deadlineIdOf({ kind: 'idle', lastEventAt: 17 }), 'deadline:idle:17')
  assert.equal(deadlineIdOf({ kind: 'approval', decisionId: 's#e1#step' }), 'deadline:approval:e1')
  const ids = ['a', 'b'].map((end) => {
    const decisionId = `${'s'.repeat(160)}#${'e'.repeat(159)}${end}#approval`
    return deadlineIdOf({ kind: 'approval', decisionId })
  })
  assert.notEqual(ids[0], ids[1])
  for (const id of ids) eventSchema.parse({ ...eventOf('deadline.reached', 0, { id }), signature: DIGEST })
})

test("an obligation's deadline is named by its spec and by when it was opened; the longest fits the contract", () => {
  const due = { kind: 'obligation', spec: 'x'.repeat(64), since: Number.MAX_SAFE_INTEGER } as const
  const id = deadlineIdOf(due)
  assert.equal(id, `deadline:obligation:${Number.MAX_SAFE_INTEGER}:${'x'.repeat(64)}`)
  eventSchema.parse({ ...eventOf('deadline.reached', 0, { id, due }), signature: DIGEST })
})
