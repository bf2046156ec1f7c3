import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logged } from '@plimsoll/contracts'
import { outcomeTransition } from './risk/transitions.js'
import { sampleChain, sampleRules } from './sample-rules.js'
import { createSampleSession, eventOf } from './sample-session.js'
import { step } from './step.js'

test('what really happened is noted once, decides nothing, and is told of a session that has ended too', () => {
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

test('of a session without a record it is nobody’s fault', () => {
  const event = eventOf('session.labelled', 0)
  assert.deepEqual(step(undefined, logged(event, 1), sampleRules()), { state: undefined })
})

test('it is counted by where the session stands', () => {
  const session = createSampleSession()
  const chain = sampleChain()
  const reported = (violated: boolean) =>
    outcomeTransition(eventOf('session.labelled', 0, { violated }), session.state, chain)
  assert.deepEqual(reported(true), { kind: 'toldViolated', from: 0, to: 0 })
  assert.deepEqual(reported(false), { kind: 'toldSafe', from: 0, to: 0 })
  assert.equal(outcomeTransition(eventOf('session.ended', 0), session.state, chain), undefined)
})
