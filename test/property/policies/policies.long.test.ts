import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCoverage } from './coverage.js'
import { caseOf, explain, tryPair } from './pairs.js'

/** Pairs of a policy and a trace; `PLIMSOLL_POLICY_SEED=n` plays only the failed pair. */
const PAIRS = Number(process.env.PLIMSOLL_POLICY_PAIRS ?? 100_000)
const only = process.env.PLIMSOLL_POLICY_SEED
const seeds = only === undefined ? Array.from({ length: PAIRS }, (_, i) => i) : [Number(only)]
/** In one of this many decisions each feature matches, and in one it does not. */
const SELDOM = 1 / 2000
/** An approved request that is blocked all the same is rarer. */
const RARE = 1 / 50_000

test('compiled policies and the naive interpreter agree on random sessions', (t) => {
  const coverage = createCoverage()
  let decisions = 0
  for (const seed of seeds) {
    const { specs } = caseOf(seed).policy
    const found = tryPair(seed, {
      onJudged(judged) {
        decisions++
        coverage.note(specs, judged)
      },
    })
    if (found.length > 0) assert.fail(explain(seed))
  }
  t.diagnostic(`${seeds.length} pairs, ${decisions} decisions: ${coverage.report()}`)
  if (only !== undefined) return
  assert.deepEqual(coverage.seldom(decisions * SELDOM), [])
  assert.deepEqual(coverage.seldomCame(decisions * RARE), [])
})
