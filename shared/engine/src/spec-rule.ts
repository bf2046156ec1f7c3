import type { ApprovalTerms, ConditionKey, LiftableSource, Reason, Verdict } from '@plimsoll/contracts'
import { type EffectPattern, type KnownEffects, matchEffects } from './effects/match.js'
import type { StepLabels } from './labels/safety-state.js'

/** A member for each condition that a policy can write. */
type Compiled = { readonly [K in ConditionKey]: object | undefined }

/**
 * A spec compiled for one tool: `own` and the patterns in its conditions are present if their tools match. What it remembers of a
 * session is in `memory`, in the cells that the conditions name. Source: docs/reference/policy-semantics.md.
 */
export interface SpecRule extends Compiled {
  readonly id: string
  readonly message: string
  readonly requirements: readonly string[] | undefined
  readonly alternative: string | undefined
  readonly verdict: Verdict
  readonly source: Reason['source']
  /** The steps it matches; undefined: every step of a named tool. */
  readonly own: Pattern | undefined
  /** Whether its windows of steps count blocked proposals too. */
  readonly countsProposals: boolean
  readonly after: Timed | undefined
  readonly before: Timed | undefined
  readonly between: Cell | undefined
  readonly atMost: Counter | undefined
  readonly sum: Counter | undefined
  readonly distinct: Counter | undefined
  readonly fleet: FleetLimit | undefined
  readonly flow: FlowRule | undefined
  readonly requires: Timed | undefined
  readonly followedBy: Obligation | undefined
  /** How far an approval may reach; undefined: for the one step. */
  readonly approval: ApprovalTerms | undefined
}

/**
 * Completes a partial rule. All rules are made here with their members in one order, so that V8 sees one shape and scans a hundred rules
 * in a microsecond or two.
 */
export function specRule(
  given: Pick<SpecRule, 'id' | 'message' | 'verdict' | 'source'> & Partial<SpecRule>,
): SpecRule {
  return {
    id: given.id,
    message: given.message,
    requirements: given.requirements,
    alternative: given.alternative,
    verdict: given.verdict,
    source: given.source,
    own: given.own,
    countsProposals: given.countsProposals === true,
    after: given.after,
    before: given.before,
    between: given.between,
    atMost: given.atMost,
    sum: given.sum,
    distinct: given.distinct,
    fleet: given.fleet,
    flow: given.flow,
    requires: given.requires,
    followedBy: given.followedBy,
    approval: given.approval,
  }
}

export interface AllowRule extends SpecRule {
  readonly lifts: ReadonlySet<LiftableSource>
}

/** An index into `memory`. */
export interface Cell {
  readonly cell: number
}

/** How far back something counts; without either, for the whole session. */
export interface Span {
  readonly steps: number | undefined
  readonly ms: number | undefined
}

export const FOR_EVER: Span = Object.freeze({ steps: undefined, ms: undefined })

/** Cell: the number or time of the latest such step; 0 if there was none. */
export interface Timed extends Cell, Span {}

/** `max`: the limit. `of`: number of the expression whose values count, −1 for none. Cells: one, or ten with a window; see counters. */
export interface Counter extends Timed {
  readonly max: number
  readonly of: number
}

/** Cell: the time of the latest such step. */
export interface FleetLimit extends Cell {
  /** The name of its reading in the facts. */
  readonly reading: string
  readonly sessions: number
  readonly ms: number
  readonly of: 'tenant' | 'deployment'
}

/** Cells: the labels that entered the session, as bits; with a window also the number or time of the latest step that brought any. */
export interface FlowRule extends Timed {
  /** The steps by which data can leave; undefined if the tool is no such step. */
  readonly to: Pattern | undefined
  readonly labels: FlowLabels
  /** Whether the spec does not match if the evidence says that no such data is in the step. */
  readonly byValues: boolean
}

/** The meaning of the bits of a flow's first cell; 0 for a label that has no bit. */
export interface FlowLabels {
  /** By exposure. */
  readonly exposures: readonly number[]
  readonly trusted: number
  readonly untrusted: number
  /** By bit of the policy's tags. */
  readonly tags: readonly number[]
  /** For a flow whose `from` names no label. */
  readonly always: number
  /** The labels that the flow matches; the other bits only track declassifiers. */
  readonly matched: number
}

/**
 * Cells: since when it is owed (number or time of the step that opened it, 0 if not owed), whether the paying step was blocked, whether
 * an alert was sent.
 */
export interface Obligation extends Timed {
  /** The steps that pay; undefined if the tool cannot pay. */
  readonly pays: Pattern | undefined
  readonly exit: 'allow' | 'confirm' | 'block'
}

/** How a step changes what a spec remembers, named after the condition; see `perform`. */
export interface Update {
  readonly spec: SpecRule
  readonly kind:
    | 'after'
    | 'before'
    | 'from'
    | 'to'
    | 'flow'
    | 'declassifies'
    | 'requires'
    | 'opens'
    | 'pays'
    | 'atMost'
    | 'sum'
    | 'distinct'
    | 'fleet'
  /** For a declassifier: the bits it clears and sets; else 0. */
  readonly from: number
  readonly to: number
}

/** The update of a step with this tool, when it runs. */
export interface UpdateRule {
  readonly update: Update
  readonly pattern: Pattern
  /** A step that this pattern also matches has no update. */
  readonly unless: Pattern | undefined
  /** Whether it depends on labels of the result: then a completion that raises them is applied again. */
  readonly isRaisable: boolean
  /** Numbers of the credits that it cancels for calls in flight. */
  readonly voids: readonly number[]
}

/** The update of a step once it completes with `ok`, identified by its number in the policy. */
export interface Credit extends Update {
  readonly number: number
}

/** The credit that a step with this tool earns. */
export interface Creditable {
  readonly credit: Credit
  readonly pattern: Pattern
  /** A step that this pattern also matches earns nothing: it counts against the session. */
  readonly unless: Pattern | undefined
  /** While a call with this credit is in flight nothing is earned, because its data is still to come. −1 for none. */
  readonly unlessInFlight: number
}

/** What specs remember of steps with one tool. */
export interface ToolMemory {
  readonly updates: readonly UpdateRule[]
  readonly creditables: readonly Creditable[]
  /** The expressions to evaluate on the arguments. */
  readonly expressions: readonly Expression[]
}

export interface Expression {
  readonly number: number
  /** Total and bounded: gives a reading for any arguments. */
  readonly read: (args: Readonly<Record<string, unknown>>) => Reading
}

/** The memory of all specs of a policy. */
export interface MemoryRules {
  /** Cells of one session; the first holds its WHOLENESS. 0: nothing is remembered. */
  readonly cells: number
  /** By number. */
  readonly credits: readonly Credit[]
  readonly flows: readonly SpecRule[]
  readonly obligations: readonly SpecRule[]
  readonly fleets: readonly SpecRule[]
  readonly tagBits: ReadonlyMap<string, number>
}

export const NO_MEMORY_RULES: MemoryRules = Object.freeze({
  cells: 0,
  credits: [],
  flows: [],
  obligations: [],
  fleets: [],
  tagBits: new Map(),
})

/** Maximum number of cells of a policy, because a session's record must stay small. */
export const CELLS_MAX = 2048

export const NO_TOOL_MEMORY: ToolMemory = Object.freeze({ updates: [], creditables: [], expressions: [] })

/** A compiled step pattern without its tools, which are matched once per tool name. Bits are indices into the engine's vocabularies. */
export interface Pattern {
  readonly escalations: number
  readonly exposures: number
  readonly reversibilities: number
  /** Bit 0: trusted, bit 1: untrusted. */
  readonly trusts: number
  /** Tags of the policy as bits, matched by any one; 0 if the pattern names none. */
  readonly tags: number
  /** One effect of the step must have an act, an object and a reach of these bits; undefined: none is asked for. */
  readonly effect: EffectPattern | undefined
  readonly recipient: 'internal' | 'external' | undefined
  /** Number of the policy's expression that must be true. */
  readonly where: number | undefined
  /** How an unknown value counts: as a match if the pattern counts against the session. */
  readonly ifUnknown: boolean
}

/** The value of an expression on a step's arguments: a boolean, a number, or hashes of values; null if unknown. */
export type Reading = boolean | number | readonly number[] | null

/** The facts of a step that patterns are matched against. */
export interface StepFacts {
  readonly labels: StepLabels
  /** The policy's tags, as bits. */
  readonly tags: number
  /** What it does to what; undefined if not reported. */
  readonly effects: KnownEffects | undefined
  /** Share of recipients outside of the organisation; undefined if not reported. */
  readonly outside: number | undefined
  /** By number of the expression; undefined if no argument is known. */
  readonly readings: Readings | undefined
}

/** Pairs of an expression's number and its value, for the expressions that specs of the tool use. */
export type Readings = readonly (number | Reading)[]

export function readingOf(readings: Readings | undefined, expression: number): Reading {
  if (readings)
    for (let i = 0; i < readings.length; i += 2)
      if (readings[i] === expression) return readings[i + 1] ?? null
  return null
}

/** Whether `pattern` matches a step. */
export function matchesPattern(pattern: Pattern, facts: StepFacts): boolean {
  const { labels, tags, effects, outside, readings } = facts
  return (
    matchesLabels(pattern, labels, tags) &&
    (pattern.effect === undefined || (matchEffects(pattern.effect, effects, labels) ?? pattern.ifUnknown)) &&
    (pattern.recipient === undefined || matchesRecipient(pattern, pattern.recipient, outside)) &&
    (pattern.where === undefined || holds(pattern, pattern.where, readings))
  )
}

const matchesLabels = (pattern: Pattern, labels: StepLabels, tags: number): boolean =>
  ((pattern.escalations >> labels.escalation) & 1) === 1 &&
  ((pattern.exposures >> labels.exposure) & 1) === 1 &&
  ((pattern.reversibilities >> labels.reversibility) & 1) === 1 &&
  ((pattern.trusts >> (labels.untrusted ? 1 : 0)) & 1) === 1 &&
  (pattern.tags === 0 || (pattern.tags & tags) !== 0)

function matchesRecipient({ ifUnknown }: Pattern, asked: string, outside: number | undefined): boolean {
  if (outside === undefined) return ifUnknown
  return outside > 0 === (asked === 'external')
}

function holds({ ifUnknown }: Pattern, where: number, readings: Readings | undefined): boolean {
  const reading = readingOf(readings, where)
  return typeof reading === 'boolean' ? reading : ifUnknown
}

/** Cells of a session, each a number from 0; the first is one of WHOLENESS. Empty: all 0. */
export type Memory = readonly number[]

export const NO_MEMORY: Memory = Object.freeze([])

/** The value of the first cell. */
export const WHOLENESS = {
  /** The cells cover the whole session. */
  whole: 0,
  /** The session moved from another policy: the cells cover what its record held, and everything since. */
  seeded: 1,
  /** The session moved from another policy, and its cells are not seeded yet. */
  cold: 2,
} as const

export const COLD: Memory = Object.freeze([WHOLENESS.cold])

/** The credits of a call that earns none. */
export const NO_CREDITS: readonly number[] = Object.freeze([])
