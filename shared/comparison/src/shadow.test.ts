import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logged } from '@plimsoll/contracts'
import { type Chain, step } from '@plimsoll/engine'
import { createSampleSession, eventOf, sampleChain, sampleRules } from '@plimsoll/engine/testing'
import { EMPTY_CANDIDATE_MEMORY, updateCandidateMemory } from './candidate-memory.js'
import { shadowOf } from './shadow.js'

const active = sampleRules()
const NOW = { timeMs: 0, readings: undefined }

/** The sample chain with the same hazard and probability for every step. */
const chainOf = (hazard: number, probability: number): Chain =>
  sampleChain({ hazard: () => hazard, probability: () => probability })

const candidateOf = (hazard: number, probability: number) =>
  sampleRules({
    chain: chainOf(hazard, probability),
    versions: { ...active.versions, bundle: 'f'.repeat(32) },
  })

const mail = (seq: number) => eventOf('step.proposed', seq, { callId: `m${seq}`, tool: 'send_email' })

test('each side has its verdict, hazard, probability and band', () => {
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

test('a candidate with the same rules agrees at every step, whatever was confirmed before', () => {
  const same = sampleRules({ versions: { ...active.versions, bundle: 'e'.repeat(32) } })
  const session = createSampleSession()
  for (const tool of ['read_secret', 'run_code', 'send_email', 'mystery', 'fetch_page', 'send_email']) {
    const { state } = session
    const shadow = shadowOf(state, eventOf('step.proposed', 50, { tool, callId: 'x' }), active, same, NOW)
    assert.deepEqual(shadow.candidate, shadow.active, tool)
    session.propose(tool)
  }
})

test('a band that was already confirmed counts for neither side', () => {
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

test('steps that ran without a verdict count as run on both sides, and the session does not change', () => {
  const session = createSampleSession()
  const { state } = session
  const before = structuredClone(state)
  const withoutVerdict = [{ callId: 'u', tool: 'read_secret', argumentsDigest: 'd'.repeat(64) }]
  const proposal = { ...mail(1), withoutVerdict } as Parameters<typeof shadowOf>[1]
  const { active: own, candidate } = shadowOf(state, proposal, active, candidateOf(0, 0), NOW)
  assert.equal(own.verdict, 'confirm', 'the line, after something sensitive')
  assert.equal(candidate.verdict, 'confirm', 'the line does not depend on the bundle')
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

test('an instruction of the user does not change what the candidate remembers', () => {
  const session = createSampleSession()
  const before = session.state
  const input = logged(eventOf('session.instructed', 1, { fingerprints: ['aaaaaaaa'] }), 5000)
  const outcome = step(before, input, sampleRules())
  const followed = updateCandidateMemory(EMPTY_CANDIDATE_MEMORY, before, input, outcome, sampleRules())
  assert.deepEqual(followed, EMPTY_CANDIDATE_MEMORY)
})
