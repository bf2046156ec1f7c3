/**
 * The real Alloy Analyzer on modules that the project exports, against the project's own verifier at equal depth: neither is written from
 * the other, both from docs/decisions/20261122-policy-language.md. A disagreement is told with its seed.
 */
import assert from 'node:assert/strict'
import path from 'node:path'
import { describe, test } from 'node:test'
import { readDocument } from '@plimsoll/policy'
import { createRandom } from '../../property/random.js'
import { alloyMissing } from '../../support/alloy/index.js'
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

const randomCase = (seed: number): Compared => ({
  policy: randomPolicy(createRandom(seed)),
  catalogue: RANDOM_CATALOGUE,
})

/** Where the two differ; what the verifier gave up on is counted by the caller. */
const differing = (findings: readonly Finding[]): readonly Finding[] =>
  findings.filter(({ analyzer, verifier }) => verifier !== undefined && analyzer !== verifier)

describe('the Alloy Analyzer and the verifier', { skip }, () => {
  test(`agree on ${POLICIES} policies made by chance, with the policy and without`, async () => {
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
    // Were nearly all alike, agreement would show nothing.
    for (const policy of ['off', 'on'] as const)
      for (const analyzer of [true, false])
        assert.ok(count((finding) => finding.policy === policy && finding.analyzer === analyzer) >= 20)
  })

  test('agree on the calendar agent: its leak is there without the policy, and with it only by a human', async () => {
    const [policy, catalogue] = await Promise.all([
      readDocument('policy', path.join(projectRoot, 'examples/calendar/policy.yaml')),
      readDocument('catalogue', path.join(projectRoot, 'examples/calendar/catalogue.yaml')),
    ])
    const [findings = []] = await compare([{ policy, catalogue }], DEPTH)
    assert.deepEqual(differing(findings), [])
    const leak = findings.filter(({ hazard }) => hazard === 'H1')
    assert.deepEqual(
      leak.map(({ policy: under, approvals, analyzer }) => [under, approvals, analyzer]),
      [
        ['off', true, true],
        ['on', true, true],
        ['on', false, false],
      ],
    )
  })
})
