import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Decision } from '@plimsoll/contracts'
import { adopt, updateCandidateMemory, EMPTY_CANDIDATE_MEMORY } from '@plimsoll/comparison'
import { step } from '@plimsoll/engine'
import { compileRules } from '@plimsoll/policy'
import { naiveAnswer } from './naive/naive-policy.js'
import { caseOf, TRACES_A_POLICY } from './pairs.js'
import { differences } from './differences.js'
import { play, type Step } from './play.js'
import { WARY } from './random-policy.js'

const PAIRS = Number(process.env.PLIMSOLL_POLICY_PAIRS ?? 5_000)

/** Compares a shadow policy with the interpreter at each proposal of a session under another policy; returns the differences. */
function tryBeside(seed: number): { readonly found: readonly string[]; readonly compared: number } {
  const own = caseOf(seed)
  const { documents, rules, transitions, catalogue } = own
  const { policy: other } = caseOf(seed + TRACES_A_POLICY)
  // Both policies share the default labels of unlabelled tools.
  const policy = { ...other, unlabelled: documents.policy.unlabelled }
  const others = compileRules({ policy, catalogue, bundle: WARY })
  const found: string[] = []
  let compared = 0
  let followed = EMPTY_CANDIDATE_MEMORY
  let said: Decision | undefined
  const both: Step = (state, input, ownRules, facts) => {
    said = state && step(adopt(state, followed), input, others, facts).decision
    const outcome = step(state, input, ownRules, facts)
    followed = updateCandidateMemory(followed, state, input, outcome, others)
    return outcome
  }
  const differing = play({
    documents,
    rules,
    transitions,
    step: both,
    onJudged({ decision, happenings, question }) {
      if (decision.kind !== 'step' || !said || found.length > 0) return
      compared++
      found.push(...differences(naiveAnswer({ policy, catalogue }, happenings, question), said))
    },
  })
  return { found: [...differing, ...found], compared }
}

test('a shadow policy agrees with the interpreter, given the steps that the session’s own policy allowed', (t) => {
  let decisions = 0
  for (let seed = 0; seed < PAIRS; seed++) {
    const { found, compared } = tryBeside(seed)
    decisions += compared
    assert.deepEqual(found, [], `seed ${seed}`)
  }
  t.diagnostic(`${PAIRS} pairs, ${decisions} decisions`)
})
