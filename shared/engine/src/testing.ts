import {
  type Capability,
  type Confidentiality,
  type Event,
  type EventOf,
  type EventType,
  type Reversibility,
  decisionSchema,
  logged,
} from '@plimsoll/contracts'
import { deadlineIdOf } from './events/deadline.js'
import { type StepLabels, SAFETY_STATES, stepLabelsOf } from './labels/safety-state.js'
import { type Chain, type Facts, type Rules, type RulesCache, type ToolRule, NO_FACTS } from './rules.js'
import { type SpecRule, NO_MEMORY_RULES, NO_TOOL_MEMORY, specRule } from './spec-rule.js'
import { findCall, pendingOf } from './state/calls.js'
import type { SessionState } from './state/session.js'
import { step } from './step.js'
import type { Outcome } from './verdict/outcome.js'

/** Rules made by hand, for tests: the engine knows of no documents. */
export interface RulesOptions extends Partial<Omit<Rules, 'tool' | 'chain'>> {
  readonly tools?: Readonly<Record<string, SampleTool>>
  readonly chain?: Chain
}

const labels = (capability: Capability, reversibility: Reversibility, confidentiality?: Confidentiality) =>
  stepLabelsOf({ capability, reversibility, ...(confidentiality && { confidentiality }) })

/** The labels of the sample tools; `mystery` is unlabelled. */
export const SAMPLE_TOOLS = {
  read_public: labels('read', 'reversible', 'public'),
  read_file: labels('read', 'reversible', 'internal'),
  read_secret: labels('read', 'reversible', 'sensitive'),
  read_keys: labels('read', 'reversible', 'credentials'),
  write_file: labels('write', 'partial'),
  run_code: labels('execute', 'partial'),
  fetch_page: { ...labels('network', 'reversible', 'public'), untrusted: true },
  send_email: labels('network', 'irreversible'),
} as const satisfies Record<string, StepLabels>

const UNLABELLED = labels('execute', 'partial', 'internal')

export const PINS = { bundle: 'b'.repeat(32), policy: 'p'.repeat(32), catalogue: 'c'.repeat(32) }

export function sampleRules({ tools = {}, chain = sampleChain(), ...rest }: RulesOptions = {}): Rules {
  const rules = new Map<string, ToolRule>(
    Object.entries(SAMPLE_TOOLS).map(([name, known]) => [name, toolRule({ labels: known })]),
  )
  for (const [name, rule] of Object.entries(tools))
    rules.set(name, toolRule({ labels: rules.get(name)?.labels, ...rule }))
  const aggregate = { ...chain, name: 'aggregate' }
  return {
    versions: PINS,
    meaning: 'paper60',
    tool: (name) => rules.get(name) ?? toolRule({}),
    categories: [chain.name],
    chain: (category) => (category === chain.name ? chain : aggregate),
    horizon: 5,
    line: { present: 'block', absent: 'allow', unknown: 'confirm' },
    hazard: ['warn', 'confirm', 'block'],
    forward: ['allow', 'warn', 'confirm'],
    hysteresis: 0.05,
    unlabelled: { verdict: 'confirm', labels: UNLABELLED, approval: undefined },
    approvalTtlMs: 60_000,
    memory: NO_MEMORY_RULES,
    ...rest,
  }
}

/** A tool's rule, given in part. */
export type SampleTool = Partial<Omit<ToolRule, SpecTier>> & {
  readonly [K in SpecTier]?: readonly SampleSpec<K>[]
}
type SpecTier = 'blocklist' | 'mustlist' | 'allowlist' | 'confirmation'
export type SampleSpec<K extends SpecTier> = Partial<ToolRule[K][number]> & { readonly id: string }

function toolRule({
  blocklist = [],
  mustlist = [],
  allowlist = [],
  confirmation = [],
  ...rule
}: SampleTool): ToolRule {
  const verdicts = { blocklist: 'block', mustlist: 'block', confirmation: 'confirm' } as const
  const filled = (tier: keyof typeof verdicts, specs: readonly SampleSpec<'blocklist'>[]): SpecRule[] =>
    specs.map((given) => specRule({ message: given.id, verdict: verdicts[tier], source: tier, ...given }))
  return {
    labels: undefined,
    tags: 0,
    isNamed: blocklist.length + allowlist.length + confirmation.length > 0,
    blocklist: filled('blocklist', blocklist),
    mustlist: filled('mustlist', mustlist),
    allowlist: allowlist.map(({ lifts = new Set(), ...given }) => ({
      ...specRule({ message: '', verdict: 'allow', source: 'confirmation', ...given }),
      lifts,
    })),
    confirmation: filled('confirmation', confirmation),
    memory: NO_TOOL_MEMORY,
    ...rule,
  }
}

export const spec = (id: string, alternative?: string): SampleSpec<'blocklist'> => ({
  id,
  message: `because of ${id}`,
  requirements: [`R-${id}`],
  ...(alternative !== undefined && { alternative }),
})

/** A `paper60` chain of the category `data` whose hazard, probability and points of no return are given by the state; 0 where they are not. */
export function sampleChain(
  of: Partial<Record<'hazard' | 'probability' | 'noReturn', (s: number) => number>> = {},
): Chain {
  const { hazard = () => 0, probability = () => 0, noReturn = () => 0 } = of
  const states = Array.from({ length: SAFETY_STATES }, (_, s) => s)
  return {
    name: 'data',
    space: 'paper60',
    target: 'observed',
    hazard: Float64Array.from(states, hazard),
    probability: Float64Array.from(states, probability),
    survived: new Float64Array(SAFETY_STATES),
    ahead: new Float64Array(SAFETY_STATES),
    stepsToViolation: states.map((s) => (s === 0 ? null : 3)),
    noReturn: Uint8Array.from(states, noReturn),
    hazardThresholds: Float64Array.of(0.2, 0.4, 0.6),
    forwardThresholds: Float64Array.of(0.3, 0.5, 0.7),
    surprise: new Float64Array(SAFETY_STATES * SAFETY_STATES),
    entropy: new Float64Array(SAFETY_STATES),
    buckets: new Float64Array(),
  }
}

export const rulesCacheOf = (rules: Rules, { pinned = true } = {}): RulesCache => ({
  active: rules,
  pinned: () => (pinned ? rules : undefined),
})

type Body<T extends EventType> = Partial<Omit<EventOf<T>, 'type' | 'schema'>>

export const DIGEST = 'd'.repeat(64)

/** One whole event, for tests; ids tell it from others of its session. */
export function eventOf<T extends EventType>(type: T, seq: number, body: Body<T> = {}): EventOf<T> {
  const envelope = { schema: 1, id: `e${seq}`, sessionId: 's', producer: 'agent', seq, time: 0, type }
  return { ...envelope, ...DEFAULTS[type], ...body } as unknown as EventOf<T>
}

const DEFAULTS: Readonly<Record<EventType, object>> = {
  'session.started': {},
  'session.instructed': {},
  'step.proposed': { callId: 'c1', tool: 'read_public', argumentsDigest: DIGEST },
  'step.completed': { callId: 'c1', tool: 'read_public', outcome: 'ok' },
  'session.ended': {},
  'approval.resolved': {
    decisionId: 's#e1#step',
    argumentsDigest: DIGEST,
    expiresAt: 0,
    resolution: 'approved',
    by: 'ann',
    signature: DIGEST,
    producer: 'console',
  },
  'approval.revoked': { approval: 'e1', by: 'ann', signature: DIGEST, producer: 'console' },
  'deadline.reached': {
    due: { kind: 'idle', lastEventAt: 0 },
    dueAt: 0,
    signature: DIGEST,
    producer: 'monitor',
  },
  'labels.refined': {
    decisionId: 's#e1#step',
    callId: 'c1',
    tool: 'mystery',
    labels: { capability: 'read', reversibility: 'reversible' },
    effect: 'raise',
    by: 'a model',
    signature: DIGEST,
    producer: 'judge',
  },
  'session.labelled': { violated: true, by: 'ann', signature: DIGEST, producer: 'console' },
  'decision.appealed': {
    decisionId: 's#e1#step',
    callId: 'c1',
    tool: 'mystery',
    verdict: 'confirm',
    expected: 'allow',
    reasons: ['unlabelled:tool_unlabelled'],
    by: 'ann',
    signature: DIGEST,
    producer: 'console',
  },
  'declassification.granted': {
    spec: 'no-leaks',
    by: 'ann',
    reason: 'looked at it',
    signature: DIGEST,
    producer: 'console',
  },
}

interface SampleOptions {
  readonly rules?: Rules
  readonly category?: string
  readonly agent?: string
  readonly started?: Body<'session.started'>
}

/**
 * A session that numbers its events by itself, for tests. Each decision is checked against the contract as it is made; the last
 * state is at hand as `state`. Time goes on by a second with each event, or to `atMs`.
 */
export function createSampleSession(options: SampleOptions = {}) {
  const { rules = sampleRules(), category = 'data', agent = '', started = {} } = options
  let state: SessionState | undefined
  let seq = 0
  let clock = 0
  let under: Rules | undefined = rules
  let facts: Facts = NO_FACTS

  function feed(event: Event, atMs = clock + 1000): Outcome {
    clock = atMs
    const outcome = step(state, logged(event, atMs), under, facts)
    if (outcome.decision) decisionSchema.parse(outcome.decision)
    state = outcome.state
    return outcome
  }
  /** When the approval request expires; 0 if nothing is pending. */
  const endOf = (decisionId: string) => ({
    expiresAt: (state && pendingOf(state, decisionId)?.expiresAt) ?? 0,
  })
  /** The tool of an admitted call, the default of its completion. */
  const toolOf = (callId: string) => {
    const call = state && findCall(state, callId)
    return call?.status === 'open' && { tool: call.tool }
  }
  const session = {
    feed,
    get state(): SessionState {
      if (!state) throw new Error('the session has not begun')
      return state
    },
    /** Rules for the events to come; undefined: the pinned versions are not at hand. */
    use: (next: Rules | undefined) => (under = next),
    /** Facts for the events to come. */
    report: (next: Facts) => (facts = next),
    propose: (tool: string, body: Body<'step.proposed'> = {}, atMs?: number) =>
      feed(eventOf('step.proposed', seq, { callId: `c${seq++}`, tool, ...body }), atMs),
    complete: (callId: string, body: Body<'step.completed'> = {}, atMs?: number) =>
      feed(eventOf('step.completed', seq++, { callId, ...toolOf(callId), ...body }), atMs),
    instruct: (body: Body<'session.instructed'> = {}) => feed(eventOf('session.instructed', seq++, body)),
    end: () => feed(eventOf('session.ended', seq++)),
    approve: (decisionId: string, body: Body<'approval.resolved'> = {}, atMs?: number) =>
      feed(
        eventOf('approval.resolved', 0, { id: `a${clock}`, decisionId, ...endOf(decisionId), ...body }),
        atMs,
      ),
    /** Takes back an approval for the session. */
    revoke: (approval: string) => feed(eventOf('approval.revoked', 0, { id: `v${clock}`, approval })),
    refine: (tool: string, body: Body<'labels.refined'> = {}) =>
      feed(eventOf('labels.refined', 0, { id: `r${clock}`, tool, ...body })),
    label: (body: Body<'session.labelled'> = {}) =>
      feed(eventOf('session.labelled', 0, { id: `l${clock}`, ...body })),
    /** Something came due, and was published as the monitor does. */
    reach: (due: EventOf<'deadline.reached'>['due'], dueAt: number, atMs = dueAt) =>
      feed(eventOf('deadline.reached', 0, { id: deadlineIdOf(due), due, dueAt }), atMs),
  }
  feed(eventOf('session.started', seq++, { category, ...(agent !== '' && { agent }), ...started }))
  return session
}

/** `source:code` of each reason of a decision, those that were lifted with a `-` before. */
export function codesOf({ decision }: Outcome): string[] {
  return (decision?.reasons ?? []).map(
    ({ source, code, liftedBy }) => `${liftedBy === undefined ? '' : '-'}${source}:${code}`,
  )
}

/** Ids and sources of a session whose calls are all open. */
export const openCalls = ({ calls }: SessionState) =>
  calls.map((call) => [call.callId, call.status === 'open' ? call.source : call.status])

export type SampleSession = ReturnType<typeof createSampleSession>

/** Made-up fingerprints for tests, like those of a keyed hash: `n` tells the value. */
export function fingerprint(n: number, letter = 'n'): string {
  let hash = Math.imul(n + 1, 0x9e3779b1) >>> 0
  let text = letter
  for (let i = 0; i < 7; i++) {
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0
    text += 'abcdefghijklmnopqrstuvwxyz234567'.charAt(hash & 31)
    hash = (hash ^ (hash >>> 7)) >>> 0
  }
  return text
}

export const fingerprints = (from: number, count: number, letter = 'n'): string[] =>
  Array.from({ length: count }, (_, i) => fingerprint(from + i, letter))
