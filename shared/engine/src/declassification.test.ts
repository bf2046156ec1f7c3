import { logged } from '@plimsoll/contracts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSampleSession, eventOf } from './sample-session.js'
import { step } from './step.js'

test('what no flow spec of the policy is named for is told, and changes nothing', () => {
  const session = createSampleSession()
  session.propose('read_file')
  const before = session.state
  const { state, fault, decision } = session.feed(eventOf('declassification.granted', 0, { id: 'g1' }))
  assert.deepEqual([state, fault?.code, decision], [before, 'spec_unknown', undefined])
})

test('without its rules the grant can come again', () => {
  const session = createSampleSession()
  const event = eventOf('declassification.granted', 0, { id: 'g1' })
  const outcome = step(session.state, logged(event, 9000), undefined)
  assert.deepEqual([outcome.state, outcome.fault?.code], [session.state, 'version_unavailable'])
})

test('a session that has no record is lost, and the grant with it', () => {
  const event = eventOf('declassification.granted', 0, { id: 'g1' })
  assert.equal(step(undefined, logged(event, 9000), undefined).fault?.code, 'session_state_lost')
})
