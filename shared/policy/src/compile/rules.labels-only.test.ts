import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Bundle, type Event, bundleSchema, logged } from '@plimsoll/contracts'
import { type Outcome, type Rules, type SessionState, estimateSessionRisk, step } from '@plimsoll/engine'
import { compileRules } from './rules.js'
import { parseDocument } from '../document/documents.js'
import {
  SAMPLE_BUNDLE,
  SAMPLE_CATALOGUE,
  SAMPLE_CHAIN,
  SAMPLE_FLOW_BUNDLE,
  samplePolicy,
  sampleScorer,
} from '../testing.js'

const policy = samplePolicy()
const { space, aggregate } = SAMPLE_BUNDLE
const BY_LEVELS: Bundle = { ...SAMPLE_FLOW_BUNDLE, labelsOnly: { space, aggregate, categories: {} } }
const BY_SCORERS: Bundle = {
  ...SAMPLE_FLOW_BUNDLE,
  labelsOnly: {
    space: 'flow',
    aggregate: SAMPLE_FLOW_BUNDLE.aggregate,
    categories: {},
    flow: {
      hazard: sampleScorer({ 'step.outgoing': [0.5, 0.75] }),
      session: sampleScorer({ 'state.steps': [0.5, 0.65] }),
      edges: [0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8],
    },
  },
}
const rulesOf = (bundle: Bundle): Rules => compileRules({ bundle, policy, catalogue: SAMPLE_CATALOGUE })

/** The outcomes of a session that reads a page and sends money; `reported` has more members of its events, by their index. */
function play(rules: Rules, reported: Readonly<Record<number, object>> = {}): Outcome[] {
  const call = { callId: 'c1', argumentsDigest: 'd'.repeat(64) }
  const events = [
    { type: 'session.started' },
    { type: 'step.proposed', tool: 'read_page', ...call },
    { type: 'step.completed', tool: 'read_page', callId: 'c1', outcome: 'ok' },
    { type: 'step.proposed', tool: 'send_money', ...call, callId: 'c2' },
  ]
  let state: SessionState | undefined
  return events.map((event, seq) => {
    const envelope = { schema: 1, id: `e${seq}`, sessionId: 's', producer: 'agent', seq, time: 0 }
    const outcome = step(state, logged({ ...envelope, ...event, ...reported[seq] } as Event, seq), rules)
    assert.equal(outcome.fault, undefined)
    state = outcome.state
    return outcome
  })
}

test('a labels-only session is judged by the labels-only model, and its decisions say so', () => {
  const outcomes = play(rulesOf(BY_SCORERS))
  const sent = outcomes[3]?.decision
  assert.equal(sent?.risk?.basis, 'labels')
  assert.equal(sent?.risk?.hazard, 0.75)
  assert.match(sent?.reasons[0]?.message ?? '', /75\.0% were the violation \(aggregate, by labels alone\): /)
  assert.equal(outcomes[1]?.state?.bucket, 5, 'by the session scorer of that model')
})

test('the model for it can be a chain alone: that of a bundle without scorers', () => {
  const byChain = play(rulesOf(SAMPLE_BUNDLE))
  const labelsOnly = play(rulesOf(BY_LEVELS))
  for (const [i, { decision, state }] of labelsOnly.entries()) {
    const expected = byChain[i]
    assert.equal(decision?.risk?.hazard, expected?.decision?.risk?.hazard)
    assert.equal(decision?.risk?.probability, expected?.decision?.risk?.probability)
    assert.equal(decision?.verdict, expected?.decision?.verdict)
    assert.ok(state && expected?.state)
    assert.equal(
      estimateSessionRisk(state, rulesOf(BY_LEVELS)),
      estimateSessionRisk(expected.state, rulesOf(SAMPLE_BUNDLE)),
    )
  }
})

test('from the first event on that tells anything the scorers see it, and the decision says nothing', () => {
  const fingerprints = ['caaaaaaa']
  const rules = rulesOf(BY_SCORERS)
  for (const reported of [
    { 0: { fingerprints } },
    { 1: { signals: { outside: 1 } } },
    { 2: { fingerprints } },
  ]) {
    const plain = play(rulesOf(SAMPLE_FLOW_BUNDLE), reported)[3]?.decision?.risk
    const risk = play(rules, reported)[3]?.decision?.risk
    assert.equal(risk?.basis, undefined)
    assert.deepEqual(risk, plain)
  }
  assert.equal(play(rules, { 3: { fingerprints } })[1]?.decision?.risk?.basis, 'labels')
  assert.equal(play(rules, { 3: { fingerprints } })[3]?.decision?.risk?.basis, undefined)
})

test('delegating tells nothing where the relative has no fingerprints and follows no instructions', () => {
  const rules = rulesOf(BY_SCORERS)
  const basisOf = (reported: Readonly<Record<number, object>>) =>
    play(rules, reported)[3]?.decision?.risk?.basis
  const unkeyed = { taint: 'data', confidentiality: 'internal', unseen: true }
  for (const at of [0, 2]) {
    assert.equal(basisOf({ [at]: { inherits: unkeyed } }), 'labels')
    assert.equal(basisOf({ [at]: { inherits: { ...unkeyed, fingerprints: {} } } }), undefined)
    assert.equal(basisOf({ [at]: { inherits: { ...unkeyed, taint: 'instructions' } } }), undefined)
  }
  const { state } = play(rules, { 0: { inherits: unkeyed } })[0] ?? {}
  assert.equal(state?.taint, 1, 'what it has come to counts all the same')
})

test('bundles without such a model judge as they did', () => {
  for (const bundle of [SAMPLE_FLOW_BUNDLE, SAMPLE_BUNDLE])
    for (const { decision } of play(rulesOf(bundle))) assert.equal(decision?.risk?.basis, undefined)
})

test('an error in the model names its path', () => {
  const faulty: [object, RegExp][] = [
    [
      { ...SAMPLE_BUNDLE, labelsOnly: BY_LEVELS.labelsOnly },
      /labelsOnly: expected for the space `flow` alone/,
    ],
    [
      { ...BY_LEVELS, labelsOnly: { ...BY_LEVELS.labelsOnly, aggregate: { ...SAMPLE_CHAIN, hazard: [0] } } },
      /labelsOnly\.aggregate: expected 5 values in hazard/,
    ],
    [
      { ...BY_LEVELS, labelsOnly: { ...BY_LEVELS.labelsOnly, flow: SAMPLE_FLOW_BUNDLE.flow } },
      /labelsOnly\.flow: expected for the space `flow` alone/,
    ],
  ]
  for (const [bundle, message] of faulty)
    assert.throws(() => parseDocument('bundle', JSON.stringify(bundle), 'b'), {
      code: 'document_invalid',
      message,
    })
  const strange = structuredClone(BY_SCORERS)
  if (strange.labelsOnly?.flow) strange.labelsOnly.flow.hazard.features = ['no.such.feature']
  assert.ok(bundleSchema.safeParse(strange).success)
  assert.throws(() => parseDocument('bundle', JSON.stringify(strange), 'b'), {
    message: /`no\.such\.feature`/,
  })
})
