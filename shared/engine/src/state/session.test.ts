import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logged } from '@plimsoll/contracts'
import { WHOLENESS } from '../spec-rule.js'
import { step } from '../step.js'
import { PINS, createSampleSession, eventOf, sampleRules, spec } from '../testing.js'
import { repin } from './session.js'

const rules = sampleRules()

test('a session knows the agent that it declared', () => {
  assert.equal(createSampleSession({ agent: 'mailer' }).state.agent, 'mailer')
  assert.equal(createSampleSession().state.agent, '')
})

test('an upgraded session keeps its state and is judged by the new versions', () => {
  const session = createSampleSession({ rules })
  session.propose('read_secret')
  assert.equal(repin(session.state, { ...PINS }), session.state)
  const versions = { ...PINS, policy: 'q'.repeat(32) }
  const moved = repin(session.state, versions)
  assert.deepEqual(moved, { ...session.state, pins: versions, memory: [WHOLENESS.cold] })
  const urgent = sampleRules({ versions, tools: { read_file: { blocklist: [spec('urgent')] } } })
  const event = eventOf('step.proposed', 2, { tool: 'read_file', callId: 'c2' })
  const { decision } = step(moved, logged(event, 9000), urgent)
  assert.deepEqual([decision?.verdict, decision?.versions?.policy], ['block', versions.policy])
  assert.equal(decision?.risk?.exposure, 'sensitive')
})

test('moved to another policy an approval lifts nothing that was shown under the one before', () => {
  const ask = { send_email: { confirmation: [spec('ask')] } }
  const session = createSampleSession({ rules: sampleRules({ tools: ask }) })
  session.propose('send_email')
  const moved = repin(session.state, { ...PINS, policy: 'q'.repeat(32) })
  assert.deepEqual(
    moved.calls.map((call) => call.status === 'pending' && call.shown),
    [[]],
  )
})
