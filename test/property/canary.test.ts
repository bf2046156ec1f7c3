import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Decision } from '@plimsoll/contracts'
import { step, type Outcome, type PendingCall, type Rules, type ToolRule } from '@plimsoll/engine'
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

const questionOf = ({ id, callId, tool, argumentsDigest, time }: Decision): PendingCall => ({
  status: 'pending',
  callId,
  decisionId: id,
  tool,
  argumentsDigest,
  labels: { exposure: 0, escalation: 0, reversibility: 0, untrusted: false },
  labelled: true,
  derived: false,
  evidence: 'unknown',
  lineEvidence: 'unknown',
  shown: [],
  expiresAt: time,
  matches: undefined,
  signals: undefined,
  tags: 0,
  readings: undefined,
})

/** An engine that reads another event than the one told. */
const misread =
  (change: (event: Parameters<Step>[1]['event']) => Parameters<Step>[1]['event']): Step =>
  (state, input, rules, facts) =>
    step(state, { ...input, event: change(input.event) }, rules, facts)

const orphaned = misread((event) =>
  event.type === 'session.started' ? { ...event, inherits: undefined } : event,
)
const estranged = misread((event) =>
  event.type === 'tool.completed' ? { ...event, inherits: undefined } : event,
)
const whole = misread((event) =>
  'inherits' in event && event.inherits
    ? { ...event, inherits: { ...event.inherits, unseen: false } }
    : event,
)

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
    : withState(outcome, {
        recent: [...(before?.recent ?? []), { hash: String(calls++).padStart(22, '0'), verdict: 'allow' }],
      }),
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
const waiting = broken((outcome, _input, before) =>
  outcome.decision?.mode === 'observe' && outcome.decision.verdict === 'confirm' && before
    ? withState(outcome, { calls: [...before.calls, questionOf(outcome.decision)] })
    : outcome,
)
const overlooked = broken((outcome, _input, before) =>
  outcome.decision?.mode === 'observe' && before
    ? withState(outcome, { violations: before.violations })
    : outcome,
)
const unstoppable: Step = (state, input, rules, facts) =>
  step(state, input, rules, { mode: facts?.mode ?? 'enforce' })
const halting: Step = (state, input, rules, facts) =>
  step(state, input, rules, facts?.stop ? facts : { mode: 'enforce' })
const impatient: Step = (state, input, ...rest) =>
  step(
    state,
    input.event.type === 'deadline.reached' ? { ...input, timeMs: input.timeMs + 3_600_000 } : input,
    ...rest,
  )
const softened = broken((outcome, { event }) =>
  event.type === 'deadline.reached' && outcome.decision
    ? withState(outcome, { blocked: 0, safety: 0 })
    : outcome,
)
const running = broken((outcome, { event }) =>
  event.type === 'deadline.reached' && outcome.decision && outcome.state
    ? withState(outcome, { steps: outcome.state.steps + 1 })
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

const gullible: Step = (state, input, rules, ...rest) =>
  step(state, input, rules && { ...rules, tool: (name) => withoutLeast(rules.tool(name), rules) }, ...rest)
const withoutLeast = (rule: ToolRule, { unlabelled }: Rules): ToolRule =>
  rule.least
    ? { ...rule, least: { ...unlabelled.labels, exposure: 0, escalation: 0, reversibility: 0 } }
    : rule
const forgetful = broken((outcome, { event }, before) =>
  event.type === 'tool.completed' && before && outcome.state !== before
    ? withState(outcome, { sources: before.sources })
    : outcome,
)
const trusting = broken((outcome) =>
  outcome.state?.sources.startsWith('?')
    ? withState(outcome, { sources: outcome.state.sources.slice(1) })
    : outcome,
)
const vague: Step = (state, input, ...rest) => {
  const { event } = input
  return step(
    state,
    event.type === 'tool.completed' && event.instructed
      ? { ...input, event: { ...event, fingerprints: event.fingerprints ?? [], instructed: [] } }
      : input,
    ...rest,
  )
}

/** A harness that finds nothing may be one that cannot: each of these must be caught, and by the rule that is meant for it. */
const CANARIES: readonly Canary[] = [
  ['a completion that lowers', /never gets safer/, fading],
  ['a level that falls again', /never gets safer/, forgiving],
  ['a blocked step that counts as run', /does not count as run/, hasty],
  ['a window without end', /within its cap/, hoarding],
  ['a proposal without an answer', /whoever waits is answered/, mute],
  ['bytes that depend on more than the input', /the same bytes/, moody],
  ['a decision against the contract', /decision is one that the contract/, careless],
  ['a retry that counts again', /heard twice/, pedantic],
  ['a blocklist that only warns', /decision: the naive model/, lenient],
  ['an observed step that waits', /leaves nothing that waits/, waiting],
  ['an observed violation that is not counted', /counts as run/, overlooked],
  ['a stop that stops nobody', /while a stop stands/, unstoppable],
  ['a mode that is not heeded', /decision: the naive model expects mode/, halting],
  ['a deadline that comes before its time', /whoever waits is answered/, impatient],
  ['a deadline that lowers', /a deadline is no fault/, softened],
  ['a deadline that lets a step run', /a deadline is no fault/, running],
  ['labels below the least', /below the least/, gullible],
  ['results that are not remembered', /naive model expects provenance/, forgetful],
  ['sensitive data read unseen and held for known', /naive model expects evidence/, trusting],
  ['instructions that are not told apart', /naive model expects provenance/, vague],
  ['a sub-agent that starts anew', /safer than what it inherits/, orphaned],
  ['a sub-agent that brings nothing back', /safer than what it inherits/, estranged],
  ['what a relative knows held for all told', /safer than what it inherits|expects evidence/, whole],
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
