import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EVENT_HASH_LENGTH, EXPOSURES, type Decision } from '@plimsoll/contracts'
import { exposureOf, step, type Outcome, type PendingCall, type Rules, type ToolRule } from '@plimsoll/engine'
import type { Step } from './invariants.js'
import { runSequence } from './run-sequence.js'
import {
  broken,
  withState,
  misread,
  disregarding,
  unmoved,
  signalled,
  silent,
  approving,
} from './broken-engine.js'

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
  effects: undefined,
  tags: 0,
  readings: undefined,
  made: '',
})

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

const irrevocable = broken((outcome, { event }, before) =>
  event.type === 'approval.revoked' && before && outcome.state !== before
    ? withState(outcome, { approvals: before.approvals })
    : outcome,
)

/** Checks the harness itself: each broken engine must be caught by the rule meant for it. */
const CANARIES: readonly Canary[] = [
  ['a completion that lowers the level', /never gets safer/, fading],
  ['a level that falls', /never gets safer/, forgiving],
  ['a blocked step that counts as run', /does not count as run/, hasty],
  ['an unbounded window', /within its cap/, hoarding],
  ['a proposal without an answer', /every proposal is answered/, mute],
  ['nondeterministic bytes', /the same bytes/, moody],
  ['a decision that violates the contract', /decision satisfies the contract/, careless],
  ['a retry that counts again', /repeated event changes nothing/, pedantic],
  ['a blocklist that only warns', /decision: the naive model/, lenient],
  ['a block without an alternative', /names an alternative/, terse],
  ['an observed step that waits', /leaves nothing waiting/, waiting],
  ['an observed violation that is not counted', /an observed step counts as run/, overlooked],
  ['a stop without effect', /during a stop/, unstoppable],
  ['an ignored mode', /decision: the naive model expects mode/, halting],
  ['an early deadline', /every proposal is answered/, impatient],
  ['a deadline that lowers the level', /a deadline is no fault/, softened],
  ['a deadline that allows a step', /a deadline is no fault/, running],
  ['labels below the least', /below the least labels/, gullible],
  ['forgotten results', /naive model expects provenance/, forgetful],
  ['unseen sensitive data treated as known', /naive model expects evidence/, trusting],
  ['ignored instructions in results', /naive model expects provenance/, vague],
  ['a sub-agent without inherited state', /safer than its inherited state/, orphaned],
  ['a sub-agent whose state does not reach its parent', /safer than its inherited state/, estranged],
  ['inherited state treated as complete', /safer than its inherited state|expects evidence/, whole],
  ['a forgotten blocked leak', /decision: the naive model expects/, disregarding('held')],
  ['forgotten written code', /decision: the naive model expects/, disregarding('codeWritten')],
  [
    'a leak that does not count in observe mode',
    /naive model expects held/,
    unmoved('held', ({ decision }) => decision?.mode === 'observe'),
  ],
  [
    'an ignored declassification',
    /naive model expects held/,
    unmoved('held', (_, { type }) => type === 'declassification.granted'),
  ],
  ['an unrelated declassification that releases a held session', /held until a declassification/, generous],
  [
    'a step without a verdict assumed to have written no code',
    /naive model expects codeWritten/,
    unmoved('codeWritten', (_, { type }) => type === 'step.completed'),
  ],
  [
    'a step without a verdict assumed to have filled no files',
    /naive model expects filesMayHold/,
    unmoved('filesMayHold', (_, { type }) => type === 'step.completed'),
  ],
  ['acts of a relative that are not inherited', /naive model expects (held|codeWritten)/, unforgetting],
  [
    'a missing report treated as complete',
    /decision: the naive model expects/,
    signalled((signals) => ({ complete: 1, ...signals })),
  ],
  ['records treated as mere names', /expects evidence/, signalled((signals) => ({ ...signals, records: 0 }))],
  [
    'a truncated report treated as complete',
    /expects evidence/,
    signalled((signals) => ({ ...signals, partial: 0 })),
  ],
  ['a truncated result treated as complete', /expects evidence/, tearful],
  [
    'an ignored external recipient',
    /expects reasons/,
    signalled((signals) => ({ ...signals, outside: 0, external: 0 })),
  ],
  ['ignored data that a step reads itself', /expects reasons/, shortsighted],
  [
    'allowed code of unknown effect',
    /expects reasons/,
    silent(({ code }) => code.startsWith('unknown_code')),
  ],
  [
    'an allowed request with arbitrary content',
    /expects reasons/,
    silent(
      ({ code }, { risk }) => code === 'outgoing_after_sensitive' && risk?.reversibility !== 'irreversible',
    ),
  ],
  ['a retry recognised by its id alone', /never answered is answered as a retry/, believing],
  ['an ignored later message', /naive model expects (provenance|evidence)/, deaf],
  ['a delegated session treated as a user', /not named later/, credulous],
  ['a later message that allows a waiting step', /a later message allows nothing/, obliging],
  [
    'an approval for the session that never expires',
    /decision: the naive model expects verdict/,
    approving((approval) => ({ ...approval, expiresAt: Number.MAX_SAFE_INTEGER })),
  ],
  [
    'an approval for the session that covers another tool',
    /lifts only what it was given for|expects verdict/,
    approving((approval, { tool }) => ({ ...approval, tool })),
  ],
  [
    'an approval for the session that covers other arguments',
    /decision: the naive model expects verdict/,
    approving((approval, { argumentsDigest }) => ({
      ...approval,
      digest: argumentsDigest.slice(0, approval.digest.length),
    })),
  ],
  [
    'an approval for the session that covers worse labels',
    /decision: the naive model expects verdict/,
    approving((approval) => ({
      ...approval,
      labels: { exposure: 4, escalation: 3, reversibility: 2, untrusted: true },
    })),
  ],
  ['an ignored revocation', /naive model expects approvals/, irrevocable],
  ['an exception', /throws: no/, throwing],
  ['a mutated state', /throws: Cannot assign/, writing],
]

for (const [name, caught, canary] of CANARIES)
  test(`the harness catches ${name}`, () => {
    for (let seed = 0; seed < 2000; seed++) {
      const found = runSequence(seed, canary).broken
      if (found.some((text) => caught.test(text))) return
    }
    assert.fail('2000 sequences found nothing')
  })
