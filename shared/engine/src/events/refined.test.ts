import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logged } from '@plimsoll/contracts'
import { escalationOf, exposureOf } from '../labels/safety-state.js'
import { decodeState, encodeState } from '../state/record/record.js'
import { LIMITS } from '../state/session.js'
import { step } from '../step.js'
import { codesOf, createSampleSession, eventOf, openCalls, sampleRules } from '../testing.js'

const HARMLESS = { capability: 'read', reversibility: 'reversible' } as const
const SECRET = { ...HARMLESS, confidentiality: 'credentials' } as const
const OUTGOING = { capability: 'network', reversibility: 'irreversible' } as const
const warned = { ...sampleRules().unlabelled, verdict: 'warn' as const }

test('labels of a step that ran raise the session; those of a pending or blocked step do not', () => {
  const ran = createSampleSession({ rules: sampleRules({ unlabelled: warned }) })
  ran.propose('mystery')
  assert.equal(exposureOf(ran.state.safety), warned.labels.exposure)
  const steps = ran.state.steps
  assert.deepEqual(
    ran.refine('mystery', { callId: 'c1', labels: { ...SECRET, trust: 'untrusted' } }).fault,
    undefined,
  )
  assert.deepEqual([exposureOf(ran.state.safety), ran.state.taint, ran.state.steps], [4, 1, steps])
  const waits = createSampleSession()
  waits.propose('mystery')
  const before = waits.state.safety
  waits.refine('mystery', { callId: 'c1', labels: SECRET })
  assert.equal(waits.state.safety, before)
  assert.equal(waits.state.refined.length, 1)
})

test('labelling a tool sensitive forgets the sources; its later results are sensitive', () => {
  const session = createSampleSession({ rules: sampleRules({ unlabelled: warned }) })
  session.propose('mystery')
  session.refine('mystery', { callId: 'c1', labels: SECRET })
  assert.equal(session.state.sources, '?')
  assert.deepEqual(openCalls(session.state), [['c1', 4 | 16]])
})

test('`raise`: the stand-in is raised and its verdict stays; `replace`: the answer counts alone, and says so', () => {
  const raising = createSampleSession({ rules: sampleRules({ unlabelled: warned }) })
  raising.refine('mystery', { labels: OUTGOING })
  const raised = raising.propose('mystery')
  assert.deepEqual([codesOf(raised), raised.decision?.verdict], [['unlabelled:tool_unlabelled'], 'warn'])
  assert.equal(escalationOf(raising.state.safety), 3)

  const lowering = createSampleSession({ rules: sampleRules({ unlabelled: warned }) })
  lowering.refine('mystery', { labels: HARMLESS, callId: 'c9' })
  lowering.propose('mystery')
  assert.equal(escalationOf(lowering.state.safety), warned.labels.escalation)

  const replacing = createSampleSession()
  assert.equal(replacing.propose('mystery', { callId: 'first' }).decision?.verdict, 'confirm')
  replacing.refine('mystery', { labels: HARMLESS, effect: 'replace', callId: 'first' })
  const replaced = replacing.propose('mystery')
  assert.deepEqual([codesOf(replaced), replaced.decision?.verdict], [['unlabelled:tool_refined'], 'allow'])
  assert.equal(escalationOf(replacing.state.safety), 0)
  assert.equal(replacing.propose('other').decision?.verdict, 'confirm')
})

test('a later answer on a tool only raises; more tools than the cap keep the stand-in', () => {
  const session = createSampleSession()
  session.refine('mystery', { id: 'r1', labels: OUTGOING, effect: 'replace' })
  session.refine('mystery', { id: 'r2', labels: SECRET, effect: 'raise' })
  assert.deepEqual(session.state.refined, [
    {
      tool: 'mystery',
      labels: { exposure: 4, escalation: 3, reversibility: 2, untrusted: false },
      replaces: false,
    },
  ])
  for (let i = 0; i < 2 * LIMITS.refinedMax; i++)
    session.refine(`tool-${i}`, { id: `t${i}`, labels: HARMLESS, effect: 'replace' })
  assert.equal(session.state.refined.length, LIMITS.refinedMax)
  assert.equal(session.state.refined[0]?.tool, 'mystery')
  assert.equal(session.propose('tool-31').decision?.verdict, 'confirm')
  assert.deepEqual(decodeState(encodeState(session.state)), { kind: 'state', state: session.state })
})

test('of a labelled tool, an ended session, no session, or for a second time it changes nothing and is no fault', () => {
  const session = createSampleSession()
  session.refine('mystery', { id: 'once', labels: SECRET })
  const { state } = session
  for (const [tool, id] of [
    ['mystery', 'once'],
    ['read_public', 'other'],
  ] as const)
    assert.deepEqual(session.refine(tool, { id, labels: OUTGOING }), { state })
  session.end()
  const ended = session.state
  assert.deepEqual(session.refine('mystery', { id: 'late', labels: OUTGOING }), { state: ended })
  const event = eventOf('labels.refined', 0)
  assert.deepEqual(step(undefined, logged(event, 1), sampleRules()), { state: undefined })
})

test('without the pinned versions it is set aside, and can be sent again', () => {
  const session = createSampleSession()
  const { state } = session
  session.use(undefined)
  const { fault, state: after } = session.refine('mystery')
  assert.deepEqual([fault?.code, after], ['version_unavailable', state])
})

test("an approved step runs with a judge's later labels, never with lower ones than shown", () => {
  const session = createSampleSession()
  session.propose('mystery')
  session.refine('mystery', { callId: 'c1', labels: OUTGOING, effect: 'replace' })
  session.approve('s#e1#step')
  assert.equal(escalationOf(session.state.safety), 3)
})
