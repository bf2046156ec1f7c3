import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logged } from '@plimsoll/contracts'
import { step } from '../step.js'
import { createSampleSession, eventOf } from '../testing.js'

test('refuses a grant for an unknown flow spec, and changes nothing', () => {
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
