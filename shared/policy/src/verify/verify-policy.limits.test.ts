import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Catalogue, type Policy, type Run, type Spec, OBJECT_KINDS } from '@plimsoll/contracts'
import { SAMPLE_CATALOGUES, hazardOf, officePolicy } from '../testing.js'
import type { HazardReport } from './report.js'
import { verifyPolicy } from './verify-policy.js'

const READS = { confidentiality: ['sensitive' as const] }
const LEAK: Run = { sequence: [READS, { tools: ['send_mail'] }] }
const ALWAYS: Spec = { id: 'always', tier: 'blocklist', tools: ['send_m*'], after: READS }

const block = (id: string, rest: object): Spec => ({ id, tier: 'blocklist', tools: ['send_mail'], ...rest })
const times = (count: number, make: (i: number) => Spec): Spec[] =>
  Array.from({ length: count }, (_, i) => make(i))

function verified(
  run: Run,
  specs: readonly Spec[],
  { catalogue = SAMPLE_CATALOGUES.office, ...rest }: Partial<Policy> & { catalogue?: Catalogue } = {},
): HazardReport {
  const policy = { ...officePolicy(hazardOf(run), ...specs), ...rest }
  const [hazard] = verifyPolicy({ policy, catalogue }).hazards
  if (!hazard) throw new Error('no hazard was reported')
  return hazard
}

test('a fleet limit that other sessions have not reached restricts nothing', () => {
  const fleet = block('fleet', { fleet: { sessions: 100, seconds: 60 } })
  assert.equal(verified(LEAK, [fleet]).result, 'reached')
  const nobody = block('nobody', { fleet: { sessions: 0, seconds: 60 } })
  assert.equal(verified(LEAK, [nobody]).result, 'proved')
})

test('predicates beyond the limit are not tried in all combinations', () => {
  const specs = times(9, (i) => block(`where-${i}`, { where: `args.x == "${i}"` }))
  assert.equal(verified(LEAK, specs).result, 'reached')
  const { result, bound } = verified(LEAK, [...specs, ALWAYS])
  assert.deepEqual([result, bound], ['bounded', 0])
})

test('effects beyond the limit are not tried in all combinations', () => {
  const effects = (count: number) =>
    OBJECT_KINDS.slice(0, count).map((kind) => block(`effect-${kind}`, { object: [kind] }))
  assert.equal(verified(LEAK, effects(7)).result, 'reached')
  assert.equal(verified(LEAK, [...effects(6), ALWAYS]).result, 'proved')
  const { result, bound } = verified(LEAK, [...effects(7), ALWAYS])
  assert.deepEqual([result, bound], ['bounded', 0])
})

test('windows beyond the limit are not tried in all combinations', () => {
  const specs = times(7, (i) => block(`lately-${i}`, { after: { ...READS, within: { seconds: 60 + i } } }))
  assert.equal(verified(LEAK, specs).result, 'reached')
  assert.equal(verified(LEAK, [...specs, ALWAYS]).bound, 0)
})

test('a tool that only an untracked spec names counts as named', () => {
  const named: Spec = { id: 'named', tier: 'confirmation', verdict: 'warn', tools: ['odd_*'] }
  const unlabelled = {
    verdict: 'block' as const,
    labels: { capability: 'network' as const, reversibility: 'irreversible' as const },
  }
  const odd: Run = { sequence: [READS, { tools: ['odd_send'] }] }
  assert.equal(verified(odd, [named], { unlabelled }).result, 'reached')
  assert.equal(verified(odd, [], { unlabelled }).result, 'proved')
})

test('a generated name matches no pattern by chance', () => {
  const blocked = (...tools: string[]): Spec => ({ id: 'some', tier: 'blocklist', tools })
  const any: Run = { sequence: [READS, { tools: ['send_*'] }] }
  assert.equal(verified(any, [blocked('send_x*', 'send_mail', '*x', '*q')]).result, 'reached')
  const stranger: Run = { sequence: [{ capability: ['network'] }] }
  assert.equal(
    verified(stranger, [blocked('tool_*', 'send_mail')], {
      unlabelled: { verdict: 'allow', labels: { capability: 'network', reversibility: 'irreversible' } },
    }).result,
    'reached',
  )
})

test('proves nothing if there are more tool patterns than can be combined', () => {
  const crowd = Array.from({ length: 201 }, (_, i) => ({
    tools: [`t${i}_*`],
    labels: {
      capability: 'read' as const,
      confidentiality: 'none' as const,
      trust: 'trusted' as const,
      reversibility: 'reversible' as const,
    },
  }))
  const catalogue = { ...SAMPLE_CATALOGUES.office, tools: [...SAMPLE_CATALOGUES.office.tools, ...crowd] }
  assert.equal(verified(LEAK, [ALWAYS], { catalogue }).bound, 0)
  assert.equal(verified({ sequence: [{ tools: ['t200_*'] }] }, [], { catalogue }).result, 'reached')
})
