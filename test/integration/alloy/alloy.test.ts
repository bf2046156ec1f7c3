/** A few modules through the real Alloy Analyzer; alloy.long.test.ts has the 200 policies and every mutation. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '../../property/random.js'
import { alloyMissing } from '../../support/alloy/index.js'
import { compare } from './differential.js'
import { randomPolicy, RANDOM_CATALOGUE } from './random-policy.js'

const missing = await alloyMissing()
const skip = missing === undefined ? false : `no Alloy Analyzer: ${missing}`
const POLICIES = 3
const DEPTH = 4

test(`the Alloy Analyzer and the verifier agree on ${POLICIES} random policies`, { skip }, async () => {
  const cases = Array.from({ length: POLICIES }, (_, i) => ({
    policy: randomPolicy(createRandom(i + 1)),
    catalogue: RANDOM_CATALOGUE,
  }))
  const findings = (await compare(cases, DEPTH)).flat()
  assert.ok(findings.length > 0)
  assert.deepEqual(
    findings.filter(({ analyzer, verifier }) => verifier !== undefined && analyzer !== verifier),
    [],
  )
})
