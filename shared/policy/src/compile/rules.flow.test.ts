import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Event, logged } from '@plimsoll/contracts'
import {
  type Outcome,
  type Rules,
  type SessionState,
  SESSION_FEATURES,
  STEP_FEATURES,
  driftOf,
  flowBucketOf,
  transitionsOf,
  observeStep,
  estimateSessionRisk,
  sessionFeaturesOf,
  step,
} from '@plimsoll/engine'
import { compileRules } from './rules.js'
import { SAMPLE_BUNDLE, SAMPLE_CATALOGUE, SAMPLE_FLOW_BUNDLE, samplePolicy } from '../testing.js'

const policy = samplePolicy()
const flow = compileRules({ bundle: SAMPLE_FLOW_BUNDLE, policy, catalogue: SAMPLE_CATALOGUE })
const ACCOUNT = 'caaaaaaa'
const NAMED = 'cbbbbbbb'

type Reported = Partial<Event> & Pick<Event, 'type'> & Record<string, unknown>

/** The outcomes of a session's events; what every event needs is filled in. */
function play(rules: Rules, ...reported: Reported[]): Outcome[] {
  let state: SessionState | undefined
  return reported.map((event, i) => {
    const envelope = { schema: 1, id: `e${i}`, sessionId: 's', producer: 'agent', seq: i, time: 0 }
    const call = { callId: `c${Math.ceil(i / 2)}`, argumentsDigest: 'd'.repeat(64) }
    const whole = { ...envelope, ...(event.type === 'step.proposed' && call), ...event } as unknown as Event
    const outcome = step(state, logged(whole, i), rules)
    assert.equal(outcome.fault, undefined)
    state = outcome.state
    return outcome
  })
}

const EVENTS: Reported[] = [
  { type: 'session.started', fingerprints: [NAMED] },
  { type: 'step.proposed', tool: 'read_page', fingerprints: [] },
  {
    type: 'step.completed',
    callId: 'c1',
    tool: 'read_page',
    outcome: 'ok',
    taint: 'instructions',
    fingerprints: [ACCOUNT],
    instructed: [ACCOUNT],
    signals: { instructions: 0.93 },
  },
  { type: 'step.proposed', tool: 'send_money', fingerprints: [ACCOUNT, NAMED] },
]

test('p1 is the hazard score of the step, P(h) adds the risk of the bucket it leads to', () => {
  const [, reading, , sending] = play(flow, ...EVENTS)
  assert.deepEqual([reading?.decision?.risk?.hazard, reading?.decision?.risk?.probability], [0, 0])
  const risk = sending?.decision?.risk
  assert.equal(risk?.hazard, 0.625)
  assert.equal(risk?.probability, 0.625 + 0.375 * (4 / 16))
  assert.equal(sending?.decision?.verdict, 'block')
  const [reason] = sending?.decision?.reasons ?? []
  assert.match(reason?.message ?? '', /62\.5%.*1 of 2 distinctive values come from instruction-like text/)
})

test('the session scorer picks the bucket when a result arrives; the session risk is the risk of that bucket', () => {
  const [started, reading, read] = play(flow, ...EVENTS)
  assert.deepEqual(
    [started, reading, read].map((outcome) => outcome?.state?.bucket),
    [0, 0, 4],
  )
  const { state } = read ?? {}
  assert.ok(state)
  assert.equal(estimateSessionRisk(state, flow), (2 * 4) / 16)
  const at = SESSION_FEATURES.indexOf('history.most.instructions')
  assert.equal(sessionFeaturesOf(state)[at], 0.93)
})

test('where a bundle tells the centres of its buckets, a session between two of them is read between them', () => {
  const { flow: scorers, ...rest } = SAMPLE_FLOW_BUNDLE
  assert.ok(scorers)
  // A session score of 0.5 is half way from the fourth centre to the fifth.
  const centres = [0, 0.1, 0.2, 0.4, 0.6]
  const bundle = { ...rest, flow: { ...scorers, centres } }
  const between = compileRules({ bundle, policy, catalogue: SAMPLE_CATALOGUE })
  const [, , read, sending] = play(between, ...EVENTS)
  const { state } = read ?? {}
  assert.ok(state)
  assert.equal(estimateSessionRisk(state, between).toFixed(6), ((2 * 3.5) / 16).toFixed(6))
  assert.equal(state.bucket, 4)
  assert.equal(sending?.decision?.risk?.probability, Number((0.625 + 0.375 * (3.5 / 16)).toPrecision(6)))
})

test('observing a step gives the same risk as its decision', () => {
  const outcomes = play(flow, ...EVENTS)
  const { state } = outcomes[2] ?? {}
  const { decision } = outcomes[3] ?? {}
  const proposal = { ...EVENTS[3], callId: 'c2' } as unknown as Parameters<typeof observeStep>[1]
  assert.ok(state)
  const seen = observeStep(state, proposal, flow)
  assert.deepEqual(
    [seen.stepRisk.hazard, seen.stepRisk.probability],
    [decision?.risk?.hazard, decision?.risk?.probability],
  )
  const named = (name: string) => seen.features[STEP_FEATURES.indexOf(name)]
  assert.deepEqual(
    [
      'target.instructedOnly',
      'target.instructedOnly.share',
      'target.task',
      'step.outgoing',
      'state.taint',
      'history.instructed.results',
      'since.instructed.latest',
      'gram.total',
    ].map(named),
    [1, 0.5, 1, 1, 2, 1, 1, 0],
  )
})

test('without scorers the same session gives the same features', () => {
  const plain = compileRules({ bundle: SAMPLE_BUNDLE, policy, catalogue: SAMPLE_CATALOGUE })
  const proposal = { ...EVENTS[3], callId: 'c2' } as unknown as Parameters<typeof observeStep>[1]
  const [under, over] = [plain, flow].map((rules) => {
    const { state } = play(rules, ...EVENTS.slice(0, 3))[2] ?? {}
    assert.ok(state)
    return [observeStep(state, proposal, rules).features, sessionFeaturesOf(state)]
  })
  assert.deepEqual(under, over)
})

test('drift goes from the state before the step to the state after its result, not to the state that the step led to', () => {
  const outcomes = play(flow, ...EVENTS, { type: 'session.ended' })
  const transitions = outcomes.flatMap(({ state }, i) =>
    transitionsOf(outcomes[i - 1]?.state, state, flow.chain('')),
  )
  const drifts = transitions.flatMap((transition) => driftOf(transition, flow.chain('')) ?? [])
  // The page was read in bucket 0, and had the session in bucket 4; the payment was blocked, so it is no step.
  assert.deepEqual(
    transitions.map(({ kind, from, to }) => [kind, flowBucketOf(from), flowBucketOf(to)]),
    [
      ['began', 0, 0],
      ['survived', 0, 4],
      ['ended', 4, 4],
    ],
  )
  assert.equal(drifts.length, 1)
  assert.ok(Number.isFinite(drifts[0]?.surprise) && (drifts[0]?.surprise ?? 0) > 0)
})

test('a client that tells of nothing is judged by labels and state alone', () => {
  const outcomes = play(flow, { type: 'session.started' }, { type: 'step.proposed', tool: 'send_money' })
  assert.equal(outcomes[1]?.decision?.risk?.hazard, 0.125)
  assert.deepEqual(outcomes[1]?.state?.history, [])
})
