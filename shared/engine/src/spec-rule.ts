import type { LiftableSource, Reason, Verdict } from '@plimsoll/contracts'
import type { StepLabels } from './labels/safety-state.js'

/**
 * A compiled spec, as one tool sees it: `own` and the occurrences in its conditions are there where their tools match. What is remembered of
 * a session stands in `memory`, in the cells that the conditions name. Source: docs/reference/policy-semantics.md.
 */
export interface SpecRule {
  readonly id: string
  readonly message: string
  readonly requirements: readonly string[] | undefined
  readonly alternative: string | undefined
  readonly verdict: Verdict
  readonly source: Reason['source']
  /** The steps it speaks on; undefined: every step with a tool that it names. */
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
}

/**
 * A rule of which only what it has is given. Every one is made here, with all members in one order: V8 then sees one shape, and looks a hundred
 * through in a microsecond or two.
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
  }
}

export interface AllowRule extends SpecRule {
  readonly lifts: ReadonlySet<LiftableSource>
}

/** Where something is remembered, as an index into `memory`. */
export interface Cell {
  readonly cell: number
}

/** How far back something counts; neither: for ever. */
export interface Reach {
  readonly steps: number | undefined
  readonly ms: number | undefined
}

export const FOR_EVER: Reach = Object.freeze({ steps: undefined, ms: undefined })

/** The number or the time of the latest such step; 0 where there was none. */
export interface Timed extends Cell, Reach {}

/** `max`: what may not be passed. `of`: number of the expression whose values count, −1 for none. Cells: one; or with a window ten: see counters. */
export interface Counter extends Timed {
  readonly max: number
  readonly of: number
}

/** Cell: the time of the latest such step. */
export interface FleetLimit extends Cell {
  /** The reading among the facts. */
  readonly reading: string
  readonly sessions: number
  readonly ms: number
  readonly of: 'tenant' | 'deployment'
}

/** Cells: the labels that are in the session, as bits; with a window the number or time of the latest step that brought any. */
export interface FlowRule extends Timed {
  /** The steps by which data may leave; undefined where the tool is no such step. */
  readonly to: Pattern | undefined
  readonly labels: FlowLabels
  /** Whether evidence on values can silence it. */
  readonly byValues: boolean
}

/** Which bits of a flow's first cell stand for what; 0 where nothing does. */
export interface FlowLabels {
  /** By exposure. */
  readonly exposures: readonly number[]
  readonly trusted: number
  readonly untrusted: number
  /** By bit of the policy's tags. */
  readonly tags: readonly number[]
  /** Where `from` names no label. */
  readonly always: number
  /** Those of which the flow speaks; others it knows on the way through declassifiers. */
  readonly spoken: number
}

/** Cells: since when it is owed (number or time of the step that opened it, 0 for not), whether what pays was blocked, whether it was told of. */
export interface Obligation extends Timed {
  /** What pays, where the tool does. */
  readonly pays: Pattern | undefined
  readonly exit: 'allow' | 'confirm' | 'block'
}

/** What a step does to what a spec remembers. The names are those of the conditions; see `perform`. */
export interface Effect {
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
  /** For a declassifier: the bits it takes away and sets; else 0. */
  readonly from: number
  readonly to: number
}

/** What a step that ran with this tool does, at once. */
export interface EffectRule {
  readonly effect: Effect
  readonly pattern: Pattern
  /** A step that this matches too does nothing. */
  readonly unless: Pattern | undefined
  /** Whether labels of what it returns are asked for: then a completion that raises them is looked at again. */
  readonly isRaisable: boolean
  /** Numbers of the credits that it takes from calls in flight. */
  readonly voids: readonly number[]
}

/** What a step does once it comes back well; told apart by its number in the policy. */
export interface Credit extends Effect {
  readonly number: number
}

/** What a step with this tool earns. */
export interface Creditable {
  readonly credit: Credit
  readonly pattern: Pattern
  /** A step that this matches too earns nothing: it counts against the session. */
  readonly unless: Pattern | undefined
  /** While a call with this number is in flight nothing is earned: what it brings is still to come. −1 for none. */
  readonly unlessInFlight: number
}

/** What specs remember of steps with one tool. */
export interface ToolMemory {
  readonly effects: readonly EffectRule[]
  readonly creditables: readonly Creditable[]
  /** What is asked of the arguments. */
  readonly expressions: readonly Expression[]
}

export interface Expression {
  readonly number: number
  /** Total and bounded: whatever the arguments are, it gives a reading. */
  readonly read: (args: Readonly<Record<string, unknown>>) => Reading
}

/** What all specs of a policy remember together. */
export interface MemoryRules {
  /** Cells of one session; the first says whether the others are whole. 0: nothing is remembered. */
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

/** Cells that the specs of one policy may have together: a session's record must stay small. */
export const CELLS_MAX = 2048

export const NO_TOOL_MEMORY: ToolMemory = Object.freeze({ effects: [], creditables: [], expressions: [] })

/** A compiled step pattern but for its tools, which are matched once a name. Bits are by index into the engine's vocabularies. */
export interface Pattern {
  readonly escalations: number
  readonly exposures: number
  readonly reversibilities: number
  /** Bit 0: trusted, bit 1: untrusted. */
  readonly trusts: number
  /** Bits of the policy's tags, one of which is asked for; 0 where none is. */
  readonly tags: number
  readonly recipient: 'internal' | 'external' | undefined
  /** Number of the policy's expression that must be true. */
  readonly where: number | undefined
  /** How what is not known counts: as matching where the pattern counts against the session. */
  readonly ifUnknown: boolean
}

/** What an expression of the policy made of a step's arguments: whether they hold, a number, or hashes of values; null where it is not known. */
export type Reading = boolean | number | readonly number[] | null

/** What patterns are held against. */
export interface StepFacts {
  readonly labels: StepLabels
  /** Bits of the policy's tags. */
  readonly tags: number
  /** Share of recipients outside of the organisation; undefined where it is not told. */
  readonly outside: number | undefined
  /** By number of the expression; undefined where no argument is known. */
  readonly readings: Readings | undefined
}

/** The number of each expression and then what it made of the arguments; of those that somebody may ask of the tool. */
export type Readings = readonly (number | Reading)[]

export function readingOf(readings: Readings | undefined, expression: number): Reading {
  if (readings)
    for (let i = 0; i < readings.length; i += 2)
      if (readings[i] === expression) return readings[i + 1] ?? null
  return null
}

/** Whether a step is one that `pattern` means. */
export function matchesPattern(pattern: Pattern, { labels, tags, outside, readings }: StepFacts): boolean {
  return (
    matchesLabels(pattern, labels, tags) &&
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

/** What the first cell says of the others. */
export const WHOLENESS = {
  /** They know all that the session did. */
  whole: 0,
  /** The session came from another policy: they know what its record told, and what it did since. */
  seeded: 1,
  /** The session came from another policy, and nothing was made of it yet. */
  cold: 2,
} as const

export const COLD: Memory = Object.freeze([WHOLENESS.cold])

/** Credits of calls for which nothing comes to count. */
export const NO_CREDITS: readonly number[] = Object.freeze([])
