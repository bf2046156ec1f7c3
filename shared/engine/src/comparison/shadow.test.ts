import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Chain } from '../rules.js'
import { sampleChain, sampleRules } from '../sample-rules.js'
import { createSampleSession, eventOf } from '../sample-session.js'
import { shadowOf } from './shadow.js'

const active = sampleRules()
const NOW = { timeMs: 0, readings: undefined }

/** The sample chain with every step as risky as it is told. */
const chainOf = (hazard: number, probability: number): Chain =>
  sampleChain({ hazard: () => hazard, probability: () => probability })

const candidateOf = (hazard: number, probability: number) =>
  sampleRules({
    chain: chainOf(hazard, probability),
    versions: { ...active.versions, bundle: 'f'.repeat(32) },
  })

const mail = (seq: number) => eventOf('step.proposed', seq, { callId: `m${seq}`, tool: 'send_email' })

test('each side says what it makes of the step: verdict, hazard, probability, band', () => {
  const { state } = createSampleSession()
  const { active: own, candidate } = shadowOf(state, mail(1), active, candidateOf(0.99, 0.99), NOW)
  const { reasons, ...rest } = candidate
  assert.deepEqual(rest, {
    verdict: 'block',
    category: 'data',
    hazard: 0.99,
    probability: 0.99,
    band: 3,
  })
  assert.deepEqual(
    reasons.map(({ source, verdict }) => `${source} ${verdict}`),
    ['hazard block', 'forward confirm'],
  )
  const session = createSampleSession()
  const { decision } = session.propose('send_email')
  assert.equal(own.verdict, decision?.verdict)
  assert.deepEqual(
    [own.hazard, own.probability, own.band, own.category],
    [decision?.risk?.hazard, decision?.risk?.probability, decision?.risk?.band, decision?.risk?.category],
  )
})

test('a candidate that says the same agrees at every step, whatever was asked about before', () => {
  const same = sampleRules({ versions: { ...active.versions, bundle: 'e'.repeat(32) } })
  const session = createSampleSession()
  for (const tool of ['read_secret', 'run_code', 'send_email', 'mystery', 'fetch_page', 'send_email']) {
    const { state } = session
    const shadow = shadowOf(state, eventOf('step.proposed', 50, { tool, callId: 'x' }), active, same, NOW)
    assert.deepEqual(shadow.candidate, shadow.active, tool)
    session.propose(tool)
  }
})

test('a band that was asked about counts for neither side', () => {
  const rules = sampleRules({ chain: chainOf(0, 0.99) })
  const session = createSampleSession({ rules })
  const first = session.propose('read_public')
  assert.equal(first.decision?.verdict, 'confirm')
  session.approve('s#e1#step')
  assert.equal(session.state.band, 3)
  const { active: own, candidate } = shadowOf(session.state, mail(2), rules, candidateOf(0, 0.99), NOW)
  assert.deepEqual([own.band, own.verdict], [3, 'confirm'], 'as if this were the first')
  assert.deepEqual(candidate, own)
})

test('steps that ran unjudged count as run on both sides, and nothing of the session changes', () => {
  const session = createSampleSession()
  const { state } = session
  const before = structuredClone(state)
  const withoutVerdict = [{ callId: 'u', tool: 'read_secret', argumentsDigest: 'd'.repeat(64) }]
  const proposal = { ...mail(1), withoutVerdict } as Parameters<typeof shadowOf>[1]
  const { active: own, candidate } = shadowOf(state, proposal, active, candidateOf(0, 0), NOW)
  assert.equal(own.verdict, 'confirm', 'the line, after something sensitive')
  assert.equal(candidate.verdict, 'confirm', 'which is no matter of the bundle')
  assert.deepEqual(state, before)
})

test('stops and modes count for neither side', () => {
  const session = createSampleSession()
  session.report({ mode: 'observe', stop: { by: 'ann' } })
  assert.equal(session.propose('read_public').decision?.verdict, 'block')
  const step = eventOf('step.proposed', 9, { callId: 'c9', tool: 'read_public' })
  const { active: own, candidate } = shadowOf(session.state, step, active, candidateOf(0, 0), NOW)
  assert.deepEqual([own.verdict, candidate.verdict], ['allow', 'allow'])
})
