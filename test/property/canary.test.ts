import assert from 'node:assert/strict'
import { test } from 'node:test'
import { step, type Outcome } from '@plimsoll/engine'
import type { Step } from './invariants.js'
import { runSequence } from './run-sequence.js'

/** An engine with something wrong: `spoil` changes what the sound one says. */
function broken(
  spoil: (outcome: Outcome, input: Parameters<Step>[1], before: Parameters<Step>[0]) => Outcome,
): Step {
  return (state, input, rules, facts) => spoil(step(state, input, rules, facts), input, state)
}

const withState = (outcome: Outcome, change: Partial<NonNullable<Outcome['state']>>): Outcome =>
  outcome.state ? { ...outcome, state: { ...outcome.state, ...change } } : outcome

let calls = 0

type Canary = readonly [name: string, caught: RegExp, step: Step]

const fading = broken((outcome, { event }) =>
  event.type === 'tool.completed' ? withState(outcome, { safety: 0 }) : outcome,
)
const forgiving = broken((outcome) =>
  outcome.decision?.verdict === 'allow' ? withState(outcome, { level: 0 }) : outcome,
)
const hasty = broken((outcome, _input, before) =>
  outcome.decision?.verdict === 'block' && before ? withState(outcome, { safety: 59, level: 4 }) : outcome,
)
const hoarding = broken((outcome, _input, before) =>
  outcome.state === before
    ? outcome
    : withState(outcome, { recent: [...(before?.recent ?? []), { hash: calls++, verdict: 'allow' }] }),
)
const mute = broken(({ decision, ...rest }) =>
  decision && decision.kind !== 'refusal' ? { ...rest, decision } : rest,
)
const moody = broken((outcome) =>
  outcome.decision ? { ...outcome, decision: { ...outcome.decision, time: calls++ } } : outcome,
)
const careless = broken((outcome) =>
  outcome.decision ? { ...outcome, decision: { ...outcome.decision, step: 0.5 } } : outcome,
)
const pedantic = broken((outcome, _input, before) =>
  outcome.state && outcome.state === before
    ? withState(outcome, { blocked: outcome.state.blocked + 1 })
    : outcome,
)
const lenient = broken((outcome) =>
  outcome.decision?.reasons.some(({ source }) => source === 'blocklist')
    ? { ...outcome, decision: { ...outcome.decision, verdict: 'warn' } }
    : outcome,
)
const throwing: Step = (state, input, ...rest) => {
  if (input.event.type === 'session.ended') throw new Error('no')
  return step(state, input, ...rest)
}
const writing: Step = (state, ...rest) => {
  if (state) Object.assign(state, { band: 0 })
  return step(state, ...rest)
}

/** A harness that finds nothing may be one that cannot: each of these must be caught, and by the rule that is meant for it. */
const CANARIES: readonly Canary[] = [
  ['a completion that lowers', /never gets safer/, fading],
  ['a level that falls again', /never gets safer/, forgiving],
  ['a blocked step that counts as run', /does not count as run/, hasty],
  ['a window without end', /within its cap/, hoarding],
  ['a proposal without an answer', /is answered/, mute],
  ['bytes that depend on more than the input', /the same bytes/, moody],
  ['a decision against the contract', /decision is one that the contract/, careless],
  ['a retry that counts again', /heard twice/, pedantic],
  ['a blocklist that only warns', /decision: the naive model/, lenient],
  ['an exception', /throws: no/, throwing],
  ['a state that is written to', /throws: Cannot assign/, writing],
]

for (const [name, caught, canary] of CANARIES)
  test(`the harness catches ${name}`, () => {
    for (let seed = 0; seed < 2000; seed++) {
      const found = runSequence(seed, canary).broken
      if (found.some((text) => caught.test(text))) return
    }
    assert.fail('2000 sequences, and nothing was found')
  })
