import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Policy, Run, Spec } from '@plimsoll/contracts'
import { SAMPLE_CATALOGUES, hazardOf, officePolicy } from '../../testing.js'
import type { HazardReport, HazardResult, VerifyOptions } from '../report.js'
import { verifyPolicy } from '../verify-policy.js'

const LEAK: Run = { sequence: [{ confidentiality: ['sensitive'] }, { capability: ['network'] }] }
const ONE: Run = { sequence: [{ capability: ['network'] }] }

function verified(
  run: Run,
  specs: readonly Spec[],
  rest: Partial<VerifyOptions> & { line?: Policy['line'] } = {},
): HazardReport {
  const { line, ...options } = rest
  const policy = officePolicy(hazardOf(run), ...specs)
  const { hazards } = verifyPolicy({
    policy: line ? { ...policy, line } : policy,
    catalogue: SAMPLE_CATALOGUES.office,
    claims: 'none',
    ...options,
  })
  const [hazard] = hazards
  if (!hazard) throw new Error('no hazard was reported')
  return hazard
}

const tools = ({ trace }: HazardReport) =>
  trace?.map(({ event, tool }) => (event === 'proposed' ? tool : event))

test('plain tiers', () => {
  const noMail: Spec = { id: 'no-mail', tier: 'blocklist', tools: ['send_*'] }
  const ask: Spec = { id: 'ask', tier: 'confirmation', tools: ['send_*'] }
  const lift: Spec = { id: 'lift', tier: 'allowlist', tools: ['send_mail'], lifts: ['confirmation'] }
  const rows: [string, readonly Spec[], HazardResult][] = [
    ['nothing holds it', [], 'reached'],
    ['its step is blocked', [noMail], 'proved'],
    ['its step needs approval', [ask], 'by_approval'],
    ['the question is lifted', [ask, lift], 'reached'],
    ['a block cannot be lifted', [noMail, ask, lift], 'proved'],
    ['another step needs approval', [{ ...ask, tools: ['move_*'] }], 'reached'],
  ]
  for (const [what, specs, result] of rows) assert.equal(verified(LEAK, specs).result, result, what)
})

test('steps without a verdict count like others, and no spec restricts them', () => {
  const noMail: Spec = {
    id: 'no-leak',
    tier: 'blocklist',
    flow: { from: { tools: ['read_mail'] }, to: { tools: ['send_*'] } },
  }
  const noRead: Spec = { id: 'no-read', tier: 'blocklist', tools: ['read_mail'] }
  const rows: [string, readonly Spec[], VerifyOptions['failOpen'], HazardResult][] = [
    ['reading fails open, what was read is known', [noMail], ['read'], 'proved'],
    ['the reading was all that is blocked', [noRead], [], 'proved'],
    ['and fails open', [noRead], ['read'], 'reached'],
    ['sending fails open', [noMail], ['network'], 'reached'],
  ]
  for (const [what, specs, failOpen = [], result] of rows)
    assert.equal(verified(LEAK, specs, { failOpen }).result, result, what)
  const { trace } = verified(LEAK, [noMail], { failOpen: ['network'] })
  assert.deepEqual(
    trace?.map(({ withoutVerdict = false }) => withoutVerdict),
    [false, true],
  )
})

test('finds the shortest run that reaches a hazard, with and without the policy', () => {
  const report = verified(LEAK, [])
  assert.deepEqual(tools(report), ['read_mail', 'send_mail'])
  assert.deepEqual(
    report.withoutPolicy?.map(({ tool }) => tool),
    ['read_mail', 'send_mail'],
  )
  assert.equal(report.trace?.at(-1)?.verdict, 'allow')
})

test('the line blocks or asks for approval as the policy configures it', () => {
  const rows: [Policy['line'], HazardResult][] = [
    [{ present: 'block', absent: 'block', unknown: 'block' }, 'proved'],
    [{ present: 'block', absent: 'confirm', unknown: 'confirm' }, 'by_approval'],
    [{ present: 'block', absent: 'allow', unknown: 'confirm' }, 'reached'],
  ]
  for (const [line, result] of rows) assert.equal(verified(LEAK, [], { line }).result, result)
})

test('a hazard that is unreachable without the policy is `vacuous`', () => {
  assert.equal(
    verified({ sequence: [{ capability: ['execute'], tools: ['read_mail'] }] }, []).result,
    'vacuous',
  )
})

test('a hazard with the patterns of a spec is `restated`', () => {
  const report = verified({ sequence: [{ tools: ['send_mail'] }] }, [
    { id: 'no', tier: 'blocklist', tools: ['send_mail'] },
  ])
  assert.equal(report.result, 'restated')
  assert.deepEqual(report.restates, ['no'])
  assert.equal(verified(ONE, [{ id: 'no', tier: 'blocklist', tools: ['send_mail'] }]).result, 'proved')
})

test('labels that results report beyond the catalogue count if clients may claim them', () => {
  const specs: Spec[] = [{ id: 'no-mail', tier: 'blocklist', tools: ['read_mail'] }]
  assert.equal(verified(LEAK, specs).result, 'proved')
  const report = verified(LEAK, specs, { claims: 'results' })
  assert.equal(report.result, 'reached')
  assert.equal(
    report.trace?.some(
      ({ event, claims }) => event === 'completed' && claims?.['confidentiality'] === 'sensitive',
    ),
    true,
  )
})

test('effects are not known of a step whose labels its result raises, so they may be those of the hazard', () => {
  const run: Run = { sequence: [{ tools: ['send_mail'], trust: ['untrusted'], act: ['delete'] }] }
  assert.equal(verified(run, []).result, 'vacuous')
  assert.equal(verified(run, [], { claims: 'results' }).result, 'reached')
})

test('a hazard of ending a session with an open obligation', () => {
  const run: Run = { endsAfter: { capability: ['write'] }, without: { capability: ['network'] } }
  assert.deepEqual(tools(verified(run, [])), ['move_meeting', 'ended'])
})

test('a step that completes without error undoes the steps before it', () => {
  const run: Run = { ...LEAK, unless: { tags: ['redacts'] } }
  const noMail: Spec = { id: 'no-read', tier: 'blocklist', tools: ['read_mail'] }
  assert.equal(verified(run, [noMail]).result, 'proved')
  assert.deepEqual(tools(verified(run, [])), ['read_mail', 'send_mail'])
})

test('reports a bound on moves or states', () => {
  const two: Run = {
    sequence: [{ tools: ['read_news'] }, { tools: ['read_news'] }, { tools: ['read_news'] }],
  }
  assert.deepEqual(
    [verified(two, [], { depth: 2 }).result, verified(two, [], { depth: 2 }).bound],
    ['bounded', 2],
  )
  assert.equal(verified(two, [], { depth: 3 }).result, 'reached')
  assert.equal(verified(two, [], { states: 1 }).result, 'bounded')
})

test('a run that needs an approval proves nothing, and a limit of transitions hides those that need none', () => {
  const recent: Spec = {
    id: 'ask',
    tier: 'confirmation',
    tools: ['send_*'],
    after: { tools: ['read_mail'], within: { steps: 4 } },
  }
  const at = (depth: number) => {
    const { result, bound } = verified(LEAK, [recent], { depth })
    return [result, bound]
  }
  assert.deepEqual(at(5), ['by_approval', 5])
  assert.deepEqual(at(6), ['reached', undefined])
})

test('a flow of untrusted data by values allows values that the task contains, a flow by labels does not', () => {
  const run: Run = { sequence: [{ trust: ['untrusted'] }, { capability: ['network'] }] }
  const flow = { from: { trust: ['untrusted' as const] }, to: { tools: ['send_*'] } }
  const specs: [Spec, HazardResult][] = [
    [{ id: 'by-labels', tier: 'blocklist', flow }, 'proved'],
    [{ id: 'by-values', tier: 'blocklist', flow: { ...flow, by: 'values' } }, 'reached'],
  ]
  for (const [spec, result] of specs) assert.equal(verified(run, [spec]).result, result, spec.id)
})
