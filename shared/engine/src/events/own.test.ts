import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeState, encodeState } from '../state/record/record.js'
import { createSampleSession } from '../testing.js'

const FOLDER = 'pabcdefg'
const DELETES = { signals: { doesDelete: 1, own: 1 }, objects: [['wothers2', FOLDER]] }

test('what a completed step made is in the record, and a failed one adds nothing', () => {
  const session = createSampleSession()
  session.propose('run_code', { callId: 'a', made: [FOLDER] })
  assert.equal(session.state.own, '')
  session.complete('a', { tool: 'run_code' })
  assert.equal(session.state.own, FOLDER)
  session.propose('run_code', { callId: 'b', made: ['pother22'] })
  session.complete('b', { tool: 'run_code', outcome: 'error' })
  assert.equal(session.state.own, FOLDER)
  const read = decodeState(encodeState(session.state))
  assert.deepEqual(read, { kind: 'state', state: session.state })
})

test('a client cannot say that something is own', () => {
  const session = createSampleSession()
  session.propose('bash', { callId: 'a', ...DELETES })
  assert.equal(session.state.own, '')
})
