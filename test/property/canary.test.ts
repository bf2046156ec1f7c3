import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EVENT_HASH_LENGTH, EXPOSURES, type Decision, type Signals } from '@plimsoll/contracts'
import { exposureOf, step, type Outcome, type PendingCall, type Rules, type ToolRule } from '@plimsoll/engine'
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

const SENSITIVE = EXPOSURES.indexOf('sensitive')

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

/** An engine that reads another event than it got. */
const misread =
  (change: (event: Parameters<Step>[1]['event']) => Parameters<Step>[1]['event']): Step =>
  (state, input, rules, facts) =>
    step(state, { ...input, event: change(input.event) }, rules, facts)

const orphaned = misread((event) =>
  event.type === 'session.started' ? { ...event, inherits: undefined } : event,
)
const estranged = misread((event) =>
  event.type === 'step.completed' ? { ...event, inherits: undefined } : event,
)
const whole = misread((event) =>
  'inherits' in event && event.inherits
    ? { ...event, inherits: { ...event.inherits, unseen: false } }
    : event,
)

type Canary = readonly [name: string, caught: RegExp, step: Step]

const fading = broken((outcome, { event }) =>
  event.type === 'step.completed' ? withState(outcome, { safety: 0 }) : outcome,
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
const terse = broken(({ decision, ...rest }) => {
  if (!decision) return rest
  const { alternative: _, ...others } = decision
  return { ...rest, decision: others }
})
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
  event.type === 'step.completed' && before && outcome.state !== before
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
    event.type === 'step.completed' && event.instructed
      ? { ...input, event: { ...event, fingerprints: event.fingerprints ?? [], instructed: [] } }
      : input,
    ...rest,
  )
}

const deaf = misread((event) =>
  event.type === 'session.instructed' ? { ...event, fingerprints: undefined, signals: undefined } : event,
)
const credulous: Step = (state, ...rest) => {
  if (state?.delegated !== true || rest[0].event.type !== 'session.instructed') return step(state, ...rest)
  const outcome = step({ ...state, delegated: false }, ...rest)
  return withState(outcome, { delegated: true })
}
const obliging = broken((outcome, { event }) =>
  event.type === 'session.instructed' && outcome.state
    ? withState(outcome, { calls: outcome.state.calls.filter(({ status }) => status !== 'pending') })
    : outcome,
)

type Bits = Pick<NonNullable<Outcome['state']>, 'held' | 'codeWritten'>

/** An engine that judges as if a bit of the session had never been set; what it keeps is right. */
const disregarding =
  (bit: keyof Bits): Step =>
  (state, ...rest) => {
    if (!state?.[bit] || rest[0].event.type === 'declassification.granted') return step(state, ...rest)
    const without = { ...state, [bit]: false }
    const outcome = step(without, ...rest)
    return outcome.state === without ? { ...outcome, state } : withState(outcome, { [bit]: true })
  }
/** An engine that keeps a bit of the session as it was at some events. */
const unmoved = (
  bit: keyof Bits,
  isMet: (outcome: Outcome, event: Parameters<Step>[1]['event']) => boolean,
): Step =>
  broken((outcome, { event }, before) =>
    isMet(outcome, event) && outcome.state !== before
      ? withState(outcome, { [bit]: before?.[bit] ?? false })
      : outcome,
  )
/** An engine that reads other signals of a proposed step than it got. */
const signalled = (change: (signals: Signals) => Signals): Step =>
  misread((event) =>
    event.type === 'step.proposed' ? { ...event, signals: change(event.signals ?? {}) } : event,
  )
/** An engine whose line does not say some of what it should. */
const silent = (isMeant: (reason: Decision['reasons'][number], decision: Decision) => boolean): Step =>
  broken((outcome, _input, before) => {
    const { decision } = outcome
    if (!decision || !before || before.held) return outcome
    const reasons = decision.reasons.filter((each) => each.source !== 'line' || !isMeant(each, decision))
    return { ...outcome, decision: { ...decision, reasons } }
  })
const isHarmlessSoFar = ({ safety }: Pick<NonNullable<Outcome['state']>, 'safety'>) =>
  exposureOf(safety) < SENSITIVE

const shortsighted = broken((outcome, _input, before) => {
  const { decision } = outcome
  if (!decision || !before || before.held || !isHarmlessSoFar(before)) return outcome
  return {
    ...outcome,
    decision: { ...decision, reasons: decision.reasons.filter(({ source }) => source !== 'line') },
  }
})
const believing: Step = (state, input, ...rest) =>
  step(
    state,
    { ...input, hash: input.event.id.padStart(EVENT_HASH_LENGTH, '0').slice(-EVENT_HASH_LENGTH) },
    ...rest,
  )
const tearful = misread((event) =>
  event.type === 'step.completed' && event.signals
    ? { ...event, signals: { ...event.signals, partial: 0 } }
    : event,
)
const generous = misread((event) =>
  event.type === 'declassification.granted' ? { ...event, spec: 'line' } : event,
)
const unforgetting = misread((event) =>
  'inherits' in event && event.inherits
    ? { ...event, inherits: { ...event.inherits, held: false, codeWritten: false } }
    : event,
)

/** A harness that finds nothing may be unable to: each of these must be caught, by the rule meant for it. */
const CANARIES: readonly Canary[] = [
  ['a completion that lowers', /never gets safer/, fading],
  ['a level that falls again', /never gets safer/, forgiving],
  ['a blocked step that counts as run', /does not count as run/, hasty],
  ['a window without end', /within its cap/, hoarding],
  ['a proposal without an answer', /every proposal is answered/, mute],
  ['bytes that depend on more than the input', /the same bytes/, moody],
  ['a decision against the contract', /decision satisfies the contract/, careless],
  ['a retry that counts again', /heard twice/, pedantic],
  ['a blocklist that only warns', /decision: the naive model/, lenient],
  ['a block without an alternative', /names something safer/, terse],
  ['an observed step that waits', /leaves nothing that waits/, waiting],
  ['an observed violation that is not counted', /counts as run/, overlooked],
  ['a stop that stops nobody', /while a stop stands/, unstoppable],
  ['a mode that is not heeded', /decision: the naive model expects mode/, halting],
  ['a deadline that comes before its time', /every proposal is answered/, impatient],
  ['a deadline that lowers', /a deadline is no fault/, softened],
  ['a deadline that lets a step run', /a deadline is no fault/, running],
  ['labels below the least', /below the least/, gullible],
  ['results that are not remembered', /naive model expects provenance/, forgetful],
  ['sensitive data read unseen and held for known', /naive model expects evidence/, trusting],
  ['instructions that are not distinguished', /naive model expects provenance/, vague],
  ['a sub-agent that inherits nothing', /safer than what it inherits/, orphaned],
  ['a sub-agent that brings nothing back', /safer than what it inherits/, estranged],
  ['what a relative knows taken for complete', /safer than what it inherits|expects evidence/, whole],
  ['a blocked leak that is forgotten', /decision: the naive model expects/, disregarding('held')],
  ['written code that is forgotten', /decision: the naive model expects/, disregarding('codeWritten')],
  [
    'a leak that does not count where nothing is enforced',
    /naive model expects held/,
    unmoved('held', ({ decision }) => decision?.mode === 'observe'),
  ],
  [
    'a declassification that is not heeded',
    /naive model expects held/,
    unmoved('held', (_, { type }) => type === 'declassification.granted'),
  ],
  ['a declassification of nothing that opens the line', /held until somebody/, generous],
  [
    'a step without a verdict that is held to have written nothing',
    /naive model expects codeWritten/,
    unmoved('codeWritten', (_, { type }) => type === 'step.completed'),
  ],
  ['what a relative did that is not inherited', /naive model expects (held|codeWritten)/, unforgetting],
  [
    'what nobody reported that is taken for complete',
    /decision: the naive model expects/,
    signalled((signals) => ({ complete: 1, ...signals })),
  ],
  [
    'records that are taken for their names',
    /expects evidence/,
    signalled((signals) => ({ ...signals, records: 0 })),
  ],
  [
    'a report cut off that is taken for whole',
    /expects evidence/,
    signalled((signals) => ({ ...signals, partial: 0 })),
  ],
  ['a result cut off that is taken for whole', /expects evidence/, tearful],
  [
    'a recipient outside that is not looked at',
    /expects reasons/,
    signalled((signals) => ({ ...signals, outside: 0, external: 0 })),
  ],
  ['what a step reads itself that is not looked at', /expects reasons/, shortsighted],
  [
    'code of unknown effect that is let run',
    /expects reasons/,
    silent(({ code }) => code.startsWith('unknown_code')),
  ],
  [
    'a request that is let carry what it likes',
    /expects reasons/,
    silent(
      ({ code }, { risk }) => code === 'outgoing_after_sensitive' && risk?.reversibility !== 'irreversible',
    ),
  ],
  ['a retry that is known by its id alone', /never answered is answered as a retry/, believing],
  ['a later message that is not heard', /naive model expects (provenance|evidence)/, deaf],
  ['a delegated session that counts as a user', /not named later/, credulous],
  ['a later message that lets what waits run', /lets nothing run/, obliging],
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
