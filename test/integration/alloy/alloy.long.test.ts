/**
 * The real Alloy Analyzer on modules that the project exports, against the project's own verifier at equal depth: neither is written from
 * the other, both from docs/reference/policy-semantics.md. A disagreement is shown with its seed.
 */
import assert from 'node:assert/strict'
import path from 'node:path'
import { describe, test } from 'node:test'
import { readDocument, toAlloy } from '@plimsoll/policy'
import { createRandom } from '../../property/random.js'
import { alloyMissing, askAlloy } from '../../support/alloy/index.js'
import { projectRoot } from '../../support/paths.js'
import { compare, type Compared, type Finding } from './differential.js'
import { randomPolicy, RANDOM_CATALOGUE } from './random-policy.js'

const missing = await alloyMissing()
const skip = missing === undefined ? false : `no Alloy Analyzer: ${missing}`
if (missing !== undefined)
  process.stderr.write(`test: *** ${missing}: nothing is held against the Alloy Analyzer ***\n`)

const FIRST_SEED = Number(process.env.PLIMSOLL_ALLOY_SEED ?? 1)
const POLICIES = 200
const DEPTH = 5

const CANARIES = 15

/** Mutations that make a module wrong. */
const MUTATIONS: readonly (readonly [string, (text: string) => string])[] = [
  [
    'nothing is blocked',
    (text) => text.replace(/pred letRun \[s: Step\] \{[^}]*\}/, 'pred letRun [s: Step] {}'),
  ],
  [
    'what was let run counts as come back well at once',
    (text) => text.replace('{ Well <: over }', '{ tool.Tool <: iden }'),
  ],
  [
    'steps reach back one step only',
    (text) => text.replaceAll(/some (\w+): s\.prevs \|/g, 'some $1: s.prev |'),
  ],
]

const randomCase = (seed: number): Compared => ({
  policy: randomPolicy(createRandom(seed)),
  catalogue: RANDOM_CATALOGUE,
})

/** The differences between the two; the caller counts searches that the verifier gave up. */
const differing = (findings: readonly Finding[]): readonly Finding[] =>
  findings.filter(({ analyzer, verifier }) => verifier !== undefined && analyzer !== verifier)

describe('the Alloy Analyzer and the verifier', { skip }, () => {
  test(`agree on ${POLICIES} random policies, with and without the policy`, async () => {
    const cases = Array.from({ length: POLICIES }, (_, i) => randomCase(FIRST_SEED + i))
    const all = await compare(cases, DEPTH)
    for (const [i, findings] of all.entries())
      assert.deepEqual(differing(findings), [], `seed ${FIRST_SEED + i}: ${JSON.stringify(cases[i]?.policy)}`)
    const asked = all.flat()
    const count = (of: (finding: Finding) => boolean) => asked.filter(of).length
    assert.ok(
      count(({ verifier }) => verifier === undefined) <= asked.length / 100,
      'the verifier gave up too often',
    )
    // If nearly all were alike, agreement would prove nothing.
    for (const policy of ['off', 'on'] as const)
      for (const analyzer of [true, false])
        assert.ok(count((finding) => finding.policy === policy && finding.analyzer === analyzer) >= 20)
  })

  test('agree on the calendar agent: the policy prevents its leak and permits its task', async () => {
    const [policy, catalogue] = await Promise.all([
      readDocument('policy', path.join(projectRoot, 'examples/calendar/policy.yaml')),
      readDocument('catalogue', path.join(projectRoot, 'examples/calendar/catalogue.yaml')),
    ])
    const [findings = []] = await compare([{ policy, catalogue }], DEPTH)
    assert.deepEqual(differing(findings), [])
    assert.deepEqual(
      findings.filter(({ id }) => id === 'H1').map(({ policy: under, analyzer }) => [under, analyzer]),
      [
        ['off', true],
        ['on', false],
        ['on', false],
      ],
    )
    // Arguments count here too: a read of the work calendar alone reads nothing private.
    const { text } = toAlloy(policy, catalogue, { depth: DEPTH })
    const [answers] = await askAlloy([text])
    assert.equal(answers?.get('hazard_H1_policy_off'), 'sat')
    assert.equal(answers.get('hazard_H1_policy_on'), 'unsat')
    for (const goal of ['G1', 'G2']) assert.equal(answers.get(`goal_${goal}_policy_on_unasked`), 'sat', goal)
  })

  for (const [what, mutate] of MUTATIONS)
    test(`disagree on a module in which ${what}`, async () => {
      const cases = Array.from({ length: CANARIES }, (_, i) => randomCase(FIRST_SEED + i))
      const all = await compare(cases, DEPTH, mutate)
      assert.ok(all.flatMap(differing).length > 0)
    })
})
