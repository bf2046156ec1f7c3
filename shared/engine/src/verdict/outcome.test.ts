import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logged } from '@plimsoll/contracts'
import { step } from '../step.js'
import { DIGEST, PINS, createSampleSession, eventOf, sampleRules, spec } from '../testing.js'
import { ENGINE_VERSION } from '../version.js'

test('a decision names all it rests on, in the order of its bytes', () => {
  const { decision } = createSampleSession().propose('read_file')
  assert.equal(
    JSON.stringify(decision),
    JSON.stringify({
      schema: 1,
      id: 's#e1#step',
      kind: 'step',
      sessionId: 's',
      tenant: 'default',
      mode: 'enforce',
      eventId: 'e1',
      callId: 'c1',
      tool: 'read_file',
      argumentsDigest: DIGEST,
      verdict: 'allow',
      reasons: [],
      risk: {
        category: 'data',
        exposure: 'internal',
        escalation: 'read_only',
        reversibility: 'reversible',
        level: 'safe',
        taint: 'none',
        hazard: 0,
        horizon: 5,
        probability: 0,
        stepsToViolation: 3,
        band: 0,
        violations: 0,
        withoutVerdict: 0,
        blocked: 0,
      },
      versions: { ...PINS, engine: ENGINE_VERSION },
      facts: {},
      step: 1,
      time: 2000,
    }),
  )
})

test('facts from outside are recorded with the decision', () => {
  const { state } = createSampleSession()
  const readings = { 'fleet.blocked': 7 }
  const facts = { mode: 'enforce', readings } as const
  const { decision } = step(state, logged(eventOf('step.proposed', 1), 0), sampleRules(), facts)
  assert.deepEqual(decision?.facts, readings)
})

test('reasons carry spec, message and requirements; a confirm says until when', () => {
  const tools = { pay: { confirmation: [spec('ask', 'send an invoice')] } }
  const session = createSampleSession({ rules: sampleRules({ tools }) })
  const { decision } = session.propose('pay')
  const reason = {
    source: 'confirmation',
    code: 'ask',
    verdict: 'confirm',
    message: 'because of ask',
    requirements: ['R-ask'],
  }
  assert.deepEqual(decision?.reasons, [reason])
  assert.equal(decision?.alternative, 'send an invoice')
  assert.equal(decision?.expiresAt, decision && decision.time + 60_000)
  const approved = session.approve(decision?.id ?? '').decision
  assert.deepEqual(
    [approved?.verdict, approved?.alternative, approved?.expiresAt],
    ['allow', undefined, undefined],
  )
})
