import type { StepLabels } from '../safety-state.js'

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
