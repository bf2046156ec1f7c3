import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Policy, type Run, type Spec, type StepPattern, FINAL_ACTS } from '@plimsoll/contracts'
import { SAMPLE_CATALOGUES, hazardOf, officePolicy } from '../testing.js'
import type { HazardResult } from './report.js'
import { verifyPolicy } from './verify-policy.js'

const READS = { confidentiality: ['sensitive' as const] }
const LEAVES = { capability: ['network' as const], recipient: 'external' as const }
const LEAK: Run = { sequence: [READS, LEAVES] }
const MAIL = { tools: ['send_mail'] }

function resultOf(
  run: Run,
  specs: readonly Spec[],
  rest: Partial<Policy> = {},
  claims: 'none' | 'results' = 'results',
): HazardResult {
  const policy = { ...officePolicy(hazardOf(run), ...specs), ...rest }
  const [hazard] = verifyPolicy({ policy, catalogue: SAMPLE_CATALOGUES.office, claims }).hazards
  if (!hazard) throw new Error('no hazard was reported')
  return hazard.result
}

test('proves specs of what is done to what, and finds the gaps', () => {
  const block = (members: StepPattern): Spec => ({ id: 'no', tier: 'blocklist', ...members })
  const deletes: StepPattern = { act: ['delete'] }
  const others: StepPattern = { act: ['delete'], reach: ['project', 'shared', 'live', 'control'] }
  const rows: [string, StepPattern, StepPattern, HazardResult][] = [
    ['no deletion of tables', { ...deletes, object: ['table'] }, deletes, 'proved'],
    ['no deletion, but of what the session made', deletes, others, 'reached'],
    ['no deletion of what others use', others, deletes, 'proved'],
    ['not even of its own', { ...deletes, reach: ['own'] }, deletes, 'proved'],
    ['its own alone', { ...deletes, reach: ['own'] }, others, 'reached'],
    ['whom it affects alone', { reach: ['live'] }, { reach: ['live', 'shared'] }, 'proved'],
    ['another act', { act: ['pay'] }, deletes, 'reached'],
    ['another kind of object', deletes, { ...deletes, object: ['path'] }, 'reached'],
  ]
  for (const [name, hazard, spec, result] of rows)
    assert.equal(resultOf({ sequence: [hazard, hazard] }, [block(spec)]), result, name)
})

test('a step that cannot be taken back may do something else than a spec asks for', () => {
  const noDeletion: Spec = { id: 'no', tier: 'blocklist', ...MAIL, act: ['delete'] }
  assert.equal(resultOf({ sequence: [MAIL] }, [noDeletion], {}, 'none'), 'reached')
  const noEffect: Spec = { id: 'no', tier: 'blocklist', ...MAIL, act: [...FINAL_ACTS] }
  assert.equal(resultOf({ sequence: [MAIL, MAIL] }, [noEffect], {}, 'none'), 'proved')
})

test('proves specs with memory, and finds the gaps', () => {
  const flow = (over: object = {}): Spec => ({
    id: 'flow',
    tier: 'blocklist',
    flow: { from: { confidentiality: ['sensitive', 'credentials'] }, to: LEAVES, ...over },
  })
  const after = (over: object = {}): Spec => ({
    id: 'after',
    tier: 'blocklist',
    ...LEAVES,
    after: { ...READS, ...over },
  })
  const between: Spec = {
    id: 'between',
    tier: 'blocklist',
    ...LEAVES,
    between: { from: READS, to: { tools: ['redact'] } },
  }
  const requires = (over: object = {}): Spec => ({
    id: 'requires',
    tier: 'mustlist',
    ...MAIL,
    requires: { tools: ['redact'], ...over },
  })
  const UNREDACTED: Run = { ...LEAK, unless: { tags: ['redacts'] } }
  const rows: [string, Run, readonly Spec[], HazardResult][] = [
    ['a flow', LEAK, [flow()], 'proved'],
    ['a flow that means one tool alone', LEAK, [flow({ from: { tools: ['read_mail'] } })], 'reached'],
    ['a flow to another tool', LEAK, [flow({ to: { tools: ['move_meeting'] } })], 'reached'],
    [
      'a flow that forgets after some seconds',
      LEAK,
      [flow({ from: { ...READS, within: { seconds: 60 } } })],
      'reached',
    ],
    [
      'a flow that forgets after two steps',
      LEAK,
      [flow({ from: { ...READS, within: { steps: 2 } } })],
      'reached',
    ],
    [
      'never this after that',
      LEAK,
      [{ id: 'after', tier: 'blocklist', ...LEAVES, after: READS }],
      'restated',
    ],
    [
      'never this after that, by another name',
      LEAK,
      [after({ confidentiality: ['sensitive', 'credentials'] })],
      'proved',
    ],
    ['between', UNREDACTED, [between], 'restated'],
    ['what must come before comes once', UNREDACTED, [requires()], 'reached'],
  ]
  for (const [what, run, specs, result] of rows) assert.equal(resultOf(run, specs), result, what)
})

test('a count over the session is proved; a count in a time window is left open', () => {
  const twice: Run = { sequence: [{ capability: ['network'] }, { capability: ['network'] }] }
  const once: Spec = {
    id: 'once',
    tier: 'blocklist',
    capability: ['network'],
    atMost: { times: 1, per: 'session' },
  }
  assert.equal(resultOf(twice, [once]), 'proved')
  assert.equal(resultOf(twice, [{ ...once, atMost: { times: 2, per: 'session' } }]), 'reached')
  assert.equal(resultOf(twice, [{ ...once, atMost: { times: 1, per: { seconds: 60 } } }]), 'bounded')
})

test('an open obligation raises an alert at the end of the session and blocks other steps until it is met', () => {
  const owes: Spec = {
    id: 'tell',
    tier: 'mustlist',
    tools: ['move_meeting'],
    followedBy: { step: MAIL, within: { steps: 2 }, exit: 'block' },
  }
  const unpaid: Run = { endsAfter: { capability: ['write'] }, without: { capability: ['network'] } }
  const goesOn: Run = {
    sequence: [{ capability: ['write'] }, { capability: ['read'] }, { capability: ['read'] }],
    unless: { capability: ['network'] },
  }
  assert.equal(resultOf(unpaid, [owes], {}, 'none'), 'alerted')
  assert.equal(resultOf(unpaid, [], {}, 'none'), 'reached')
  assert.equal(resultOf(goesOn, [owes], {}, 'none'), 'proved')
  const loose: Spec = { ...owes, followedBy: { step: MAIL, within: { steps: 3 }, exit: 'block' } }
  assert.equal(resultOf(goesOn, [loose], {}, 'none'), 'reached')
})

test('finds the specs that prevent a hazard if no requirement links them', () => {
  const specs: Spec[] = [
    { id: 'idle', tier: 'confirmation', tools: ['read_news'] },
    {
      id: 'flow',
      tier: 'blocklist',
      flow: { from: { confidentiality: ['sensitive', 'credentials'] }, to: LEAVES },
    },
  ]
  const [hazard] = verifyPolicy({
    policy: officePolicy(hazardOf(LEAK), ...specs),
    catalogue: SAMPLE_CATALOGUES.office,
  }).hazards
  assert.deepEqual([hazard?.result, hazard?.heldBy], ['proved', ['flow']])
})

test('goals with and without approval, and the specs that prevent them', () => {
  const goals = (...specs: Spec[]) => {
    const reached: Run = { sequence: [{ tools: ['move_meeting'] }, MAIL] }
    const analysis = { goals: [{ id: 'G', text: 'work', reached }] }
    const [goal] = verifyPolicy({
      policy: officePolicy(analysis, ...specs),
      catalogue: SAMPLE_CATALOGUES.office,
    }).goals
    return goal && [goal.result, goal.harshest]
  }
  assert.deepEqual(goals(), ['reachable', 'by_approval'])
  assert.deepEqual(goals({ id: 'ask', tier: 'confirmation', ...MAIL }), ['by_approval', 'by_approval'])
  assert.deepEqual(goals({ id: 'no', tier: 'blocklist', ...MAIL }), ['unreachable', 'unreachable'])
  const requires: Spec = { id: 'first', tier: 'mustlist', ...MAIL, requires: { tools: ['redact'] } }
  assert.deepEqual(goals(requires), ['reachable', 'by_approval'])
})

test('wedges: obligations that block each other, and obligations that ease', () => {
  const owes = (tool: string, pays: string, exit: 'block' | 'confirm'): Spec => ({
    id: `after-${tool}`,
    tier: 'mustlist',
    tools: [tool],
    followedBy: { step: { tools: [pays] }, within: { steps: 1 }, exit },
  })
  const noMail: Spec = { id: 'no-mail', tier: 'blocklist', ...MAIL }
  const wedge = (rest: Partial<Policy>, ...specs: Spec[]) =>
    verifyPolicy({ policy: { ...officePolicy({}, ...specs), ...rest }, catalogue: SAMPLE_CATALOGUES.office })
      .wedge
  assert.equal(wedge({}).result, 'none')
  assert.equal(wedge({}, owes('move_meeting', 'send_mail', 'block')).result, 'none')
  assert.equal(wedge({}, owes('move_meeting', 'send_mail', 'confirm'), noMail).result, 'none')
  const stuck = wedge({}, owes('move_meeting', 'send_mail', 'block'), noMail)
  assert.equal(stuck.result, 'specs')
  assert.deepEqual(
    stuck.trace?.map(({ tool }) => tool),
    ['move_meeting'],
  )
  assert.equal(wedge({ hazard: ['warn', 'confirm', 'block'] }).result, 'prediction')
  const lift: Spec = { id: 'lift', tier: 'allowlist', tools: ['read_news'], lifts: ['hazard'] }
  assert.deepEqual(wedge({ hazard: ['warn', 'confirm', 'block'] }, lift).always, ['read_news'])
})

test('finds specs that never have an effect', () => {
  const noMail: Spec = { id: 'no-mail', tier: 'blocklist', ...MAIL }
  const rows: [Spec, string | undefined][] = [
    [{ id: 'x', tier: 'blocklist', tools: ['move_*'], after: { tools: ['send_mail'] } }, 'never_speaks'],
    [{ id: 'x', tier: 'blocklist', tools: ['move_*'], after: { tools: ['read_mail'] } }, undefined],
    [{ id: 'x', tier: 'allowlist', tools: ['read_news'], lifts: ['line'] }, 'never_lifts'],
    [{ id: 'x', tier: 'allowlist', tools: ['read_news'], lifts: ['forward'] }, undefined],
    [
      { id: 'x', tier: 'mustlist', tools: ['move_*'], followedBy: { step: MAIL, within: 'session' } },
      'never_paid',
    ],
    [{ id: 'x', tier: 'mustlist', tools: ['move_*'], requires: MAIL }, 'never_satisfied'],
    [{ id: 'x', tier: 'mustlist', tools: ['move_*'], requires: { tools: ['redact'] } }, undefined],
  ]
  for (const [spec, finding] of rows) {
    const { specs } = verifyPolicy({
      policy: officePolicy({}, spec, noMail),
      catalogue: SAMPLE_CATALOGUES.office,
      claims: 'none',
    })
    assert.equal(specs.find(({ id }) => id === 'x')?.finding, finding, JSON.stringify(spec))
  }
})

test('windows of steps are exact in runs of bounded length', () => {
  const flow: Spec = {
    id: 'flow',
    tier: 'blocklist',
    flow: { from: { confidentiality: ['sensitive', 'credentials'], within: { steps: 2 } }, to: LEAVES },
  }
  const rate: Spec = {
    id: 'rate',
    tier: 'blocklist',
    capability: ['network'],
    atMost: { times: 1, per: { steps: 2 } },
  }
  const twice: Run = { sequence: [{ capability: ['network'] }, { capability: ['network'] }] }
  const at = (depth: number, run: Run, spec: Spec) => {
    const policy = officePolicy(hazardOf(run), spec)
    return verifyPolicy({ policy, catalogue: SAMPLE_CATALOGUES.office, claims: 'none', depth }).hazards[0]
      ?.result
  }
  assert.deepEqual([at(3, LEAK, flow), at(4, LEAK, flow)], ['bounded', 'reached'])
  assert.deepEqual([at(2, twice, rate), at(4, twice, rate)], ['bounded', 'reached'])
})

test('an unlabelled tool that a spec names counts as known, whether or not a search tracks the spec', () => {
  const run: Run = { sequence: [{ capability: ['execute'] }] }
  const rest = { unlabelled: { verdict: 'block' as const, labels: STRANGER } }
  const naming = (name: string): Spec => ({ id: 'a', tier: 'confirmation', verdict: 'warn', tools: [name] })
  assert.equal(resultOf(run, [], rest), 'proved')
  assert.equal(resultOf(run, [naming('launch_*')], rest), 'reached')
  // The pattern `*` names no tool.
  assert.equal(resultOf(run, [naming('*')], rest), 'proved')
})

const STRANGER = { capability: 'execute' as const, reversibility: 'partial' as const }
