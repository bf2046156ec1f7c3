import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Facts } from '../../rules.js'
import { codesOf, createSampleSession, sampleRules, spec } from '../../testing.js'

const ENFORCE: Facts = { mode: 'enforce' }
const STOP: Facts = { mode: 'enforce', stop: { by: 'ann', reason: 'a leak is looked into' } }
const rules = sampleRules({ tools: { run_code: { confirmation: [spec('ask')] } } })

test('a stop blocks every proposal, even an allowed one, and names its author and reason', () => {
  const allowing = sampleRules({
    tools: {
      read_file: { allowlist: [{ id: 'fine', lifts: new Set(['line', 'hazard', 'forward'] as const) }] },
    },
  })
  for (const facts of [STOP, { ...STOP, mode: 'observe' } as const]) {
    const session = createSampleSession({ rules: allowing })
    session.report(facts)
    const outcome = session.propose('read_file')
    const { decision } = outcome
    assert.deepEqual(codesOf(outcome), ['stop:fleet_stopped'])
    assert.equal(decision?.reasons[0]?.message, 'stopped by `ann`: a leak is looked into')
    assert.deepEqual(
      [decision?.verdict, decision?.mode, decision?.facts],
      ['block', 'enforce', { stop: STOP.stop }],
    )
    assert.deepEqual([session.state.steps, session.state.blocked, session.state.violations], [0, 1, 0])
    session.complete('c1', { tool: 'read_file' })
    assert.equal(session.state.violations, 1, 'it ran although it was stopped')
    session.report(ENFORCE)
    assert.equal(session.propose('read_file').decision?.verdict, 'allow')
  }
})

test('a stop comes first among the reasons, and an approval does not lift it', () => {
  const session = createSampleSession({ rules })
  const asked = session.propose('run_code')
  session.report(STOP)
  const outcome = session.approve(asked.decision?.id ?? '')
  assert.deepEqual(codesOf(outcome), ['stop:fleet_stopped', '-confirmation:ask'])
  assert.equal(outcome.decision?.verdict, 'block')
  assert.equal(session.state.steps, 0)
})
