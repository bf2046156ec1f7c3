import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Event, type Policy, logged } from '@plimsoll/contracts'
import { type Chain, type Transition, type SessionState, flowState, step } from '@plimsoll/engine'
import { compileRules, defaultDocuments } from '@plimsoll/policy'
import { createMetrics } from '@plimsoll/runtime/metrics'
import { createDrifts, createPolicyCounts } from './sessions.js'
import { createInstruments } from './specs.js'

const documents = await defaultDocuments()
const { chain } = compileRules(documents)
const survived = (from: number, to: number): Transition => ({ kind: 'survived', from, to })

/** What the metrics tell of `moves` of the category, by name and labels. */
async function reportOf(
  category: string,
  transitions: readonly Transition[],
  under: Chain = chain(category),
) {
  const metrics = createMetrics({ hasProcessMetrics: false })
  const drifts = createDrifts(createInstruments(metrics))
  drifts.add(category, { category, transitions }, under)
  drifts.settle()
  drifts.settle()
  const lines = (await metrics.text())
    .split('\n')
    .filter((line) => /^plimsoll_(transition|bucket)/.test(line))
  return new Map(
    lines.map((line): [string, number] => [
      line.slice(9, line.lastIndexOf(' ')),
      Number(line.split(' ').at(-1)),
    ]),
  )
}

test('the default bundle has the space `flow`, so drift is counted over its states', () => {
  assert.equal(documents.bundle.space, 'flow')
})

test('sums surprise and entropy over survived steps, once', async () => {
  const [from, to] = [flowState(0, 0, 0), flowState(1, 1, 2)]
  const transitions: Transition[] = [survived(from, to), { kind: 'began', from, to: from }, survived(to, to)]
  const reported = await reportOf('aggregate', transitions)
  const { surprise, entropy } = chain('')
  const size = entropy.length
  assert.equal(reported.get('transitions_total{category="aggregate"}'), 2)
  const near = (name: string, expected: number) =>
    assert.ok(
      Math.abs((reported.get(`transition_nats_total{category="aggregate",of="${name}"}`) ?? -1) - expected) <
        1e-9,
      name,
    )
  near('surprise', (surprise[from * size + to] ?? 0) + (surprise[to * size + to] ?? 0))
  near('entropy', (entropy[from] ?? 0) + (entropy[to] ?? 0))
})

test('counts observed steps by bucket beside as many fitted ones', async () => {
  const category = Object.keys(documents.bundle.categories)[0] ?? ''
  const transitions = [0, 0, 3].map((bucket) => survived(flowState(0, 1, bucket), flowState(0, 1, 0)))
  const reported = await reportOf(category, transitions)
  const sumOf = (name: string) =>
    Array.from(
      { length: 8 },
      (_, bucket) => reported.get(`bucket_steps_total{bucket="${bucket}",of="${name}"}`) ?? Number.NaN,
    ).reduce((sum, steps) => sum + steps, 0)
  assert.equal(reported.get('bucket_steps_total{bucket="0",of="observed"}'), 2)
  assert.equal(reported.get('bucket_steps_total{bucket="3",of="observed"}'), 1)
  assert.equal(sumOf('observed'), 3)
  assert.ok(Math.abs(sumOf('fitted') - 3) < 1e-9)
  const fitted = reported.get('bucket_steps_total{bucket="3",of="fitted"}') ?? 0
  assert.ok(Math.abs(fitted - 3 * (chain(category).buckets[3] ?? 0)) < 1e-9)
})

test('counts no buckets outside the space `flow`', async () => {
  const reported = await reportOf('data', [survived(0, 1)], {
    ...chain(''),
    space: 'paper60',
    buckets: new Float64Array(),
  })
  assert.deepEqual(
    [...reported.keys()].filter((name) => name.startsWith('bucket')),
    [],
  )
})

const SPECS: Policy['specs'] = [
  {
    id: 'reported',
    tier: 'mustlist',
    tools: ['write_file'],
    followedBy: { step: { tools: ['send_email'] }, within: { seconds: 60 } },
  },
  {
    id: 'checked',
    tier: 'mustlist',
    tools: ['write_file'],
    followedBy: { step: { tools: ['list_files'] }, within: { steps: 3 } },
  },
  {
    id: 'few',
    tier: 'confirmation',
    verdict: 'warn',
    tools: ['read_file'],
    fleet: { sessions: 2, seconds: 60 },
  },
  { id: 'no-shell', tier: 'blocklist', tools: ['run_shell'] },
  {
    id: 'kept-in',
    tier: 'blocklist',
    flow: { from: { trust: ['untrusted'] }, to: { tools: ['run_shell'] } },
  },
]

const envelope = { schema: 1, sessionId: 's', producer: 'p', time: 0 } as const

test('what specs say, what becomes of what is owed, readings and grants are counted', async () => {
  const documents = await defaultDocuments()
  const rules = compileRules({
    ...documents,
    policy: { ...documents.policy, specs: SPECS, irreversible: 'allow' },
  })
  const metrics = createMetrics({ hasProcessMetrics: false })
  const counts = createPolicyCounts(createInstruments(metrics))
  let state: SessionState | undefined
  let seq = 0
  const hear = (body: object, timeMs: number, readings: Record<string, number> = {}) => {
    const event = { ...envelope, id: `e${seq}`, seq, ...body } as unknown as Event
    if (!('signature' in body)) seq++
    const { state: after, decision } = step(state, logged(event, timeMs), rules, {
      mode: 'enforce',
      readings,
    })
    counts.count({ event, decision, before: state, after, rules })
    state = after
  }
  const propose = (tool: string, timeMs: number, readings?: Record<string, number>) =>
    hear({ type: 'step.proposed', tool, callId: tool, argumentsDigest: '0'.repeat(64) }, timeMs, readings)
  const complete = (tool: string, timeMs: number) =>
    hear({ type: 'step.completed', tool, callId: tool, outcome: 'ok' }, timeMs)
  hear({ type: 'session.started', fingerprints: [] }, 1000)
  propose('write_file', 2000)
  complete('write_file', 2500)
  propose('list_files', 3000)
  complete('list_files', 3500)
  propose('read_file', 4000, { 'spec:few': 1 })
  complete('read_file', 4100)
  propose('read_file', 4500, { 'spec:few': 2 })
  propose('run_shell', 5000)
  propose('send_email', 90_000)
  complete('send_email', 91_000)
  propose('write_file', 92_000)
  hear(
    { type: 'declassification.granted', id: 'g', spec: 'kept-in', by: 'ann', reason: 'ok', signature: 'x' },
    93_000,
  )
  hear({ type: 'session.ended' }, 94_000)
  const text = await metrics.text()
  const values = [...text.matchAll(/^plimsoll_(spec|obl|decl|fleet_r)\w+\{.*\} \d+$/gm)].map(([line]) => line)
  assert.deepEqual(values.toSorted(), [
    'plimsoll_declassifications_total{spec="kept-in"} 1',
    'plimsoll_fleet_readings_total{spec="few",outcome="full"} 1',
    'plimsoll_fleet_readings_total{spec="few",outcome="room"} 1',
    'plimsoll_obligations_total{outcome="late"} 1',
    'plimsoll_obligations_total{outcome="opened"} 4',
    'plimsoll_obligations_total{outcome="paid"} 1',
    'plimsoll_obligations_total{outcome="unpaid"} 2',
    'plimsoll_spec_verdicts_total{spec="few",tier="confirmation",verdict="warn",act="none",reach="none"} 1',
    'plimsoll_spec_verdicts_total{spec="kept-in",tier="blocklist",verdict="block",act="none",reach="none"} 1',
    'plimsoll_spec_verdicts_total{spec="no-shell",tier="blocklist",verdict="block",act="none",reach="none"} 1',
  ])
})

test('what the lines answer is counted by source, and by what the step does to what', async () => {
  const documents = await defaultDocuments()
  const rules = compileRules(documents)
  const metrics = createMetrics({ hasProcessMetrics: false })
  const counts = createPolicyCounts(createInstruments(metrics))
  let state: SessionState | undefined
  for (const [seq, body] of [
    { type: 'session.started', fingerprints: [] },
    { type: 'step.proposed', tool: 'send_email', callId: 'a', argumentsDigest: '0'.repeat(64) },
    {
      type: 'step.proposed',
      tool: 'send_email',
      callId: 'b',
      argumentsDigest: '0'.repeat(64),
      signals: { doesDelete: 1, doesPublish: 1 },
      effects: [
        { act: 'delete', object: 'table', reach: 'live', names: [] },
        { act: 'publish', object: 'resource', names: [] },
      ],
    },
    {
      type: 'step.proposed',
      tool: 'send_email',
      callId: 'c',
      argumentsDigest: '0'.repeat(64),
      signals: { doesPublish: 1 },
      effects: [{ act: 'publish', object: 'resource', names: [] }],
    },
  ].entries()) {
    const event = { ...envelope, id: `e${seq}`, seq, ...body } as unknown as Event
    const { state: after, decision } = step(state, logged(event, 1000), rules, {
      mode: 'enforce',
      readings: {},
    })
    counts.count({ event, decision, before: state, after, rules })
    state = after
  }
  const text = await metrics.text()
  for (const [act, reach] of [
    ['none', 'none'],
    ['delete', 'live'],
    ['publish', 'none'],
  ])
    assert.ok(
      text.includes(
        `plimsoll_spec_verdicts_total{spec="irreversible_not_asked",tier="irreversible",verdict="confirm",act="${act}",reach="${reach}"} 1`,
      ),
    )
})
