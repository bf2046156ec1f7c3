import { CLASSES, INSTRUCTED, SENSITIVE, TASK, TRUSTED, UNTRUSTED } from '../labels/safety-state.js'
import { type Sources, LOOKED_UP_MAX, lookUpSources } from './sources.js'

/** Kinds of fingerprints: targets, references, names, text, words. */
export const GROUPS = ['target', 'reference', 'name', 'gram', 'word', 'tool', 'description'] as const
export type Group = (typeof GROUPS)[number]

const LETTERS: Readonly<Record<Group, string>> = {
  target: 'acu',
  reference: 'pi',
  name: 'n',
  gram: 'g',
  word: 'w',
  tool: 't',
  description: 'd',
}

/** By character code of the letter: index into GROUPS. */
const GROUP_OF = new Uint8Array(128)
for (const [group, name] of GROUPS.entries())
  for (const letter of LETTERS[name]) GROUP_OF[letter.charCodeAt(0)] = group

/**
 * What is counted per group. One fingerprint may count for several: `untrustedOnly` and `instructedOnly` exclude what the task or a
 * trusted result also has, `sensitiveOnly` what the task also has.
 */
export const ORIGINS = [
  'total',
  'task',
  'trusted',
  'untrusted',
  'untrustedOnly',
  'instructed',
  'instructedOnly',
  'sensitive',
  'sensitiveOnly',
  'nowhere',
] as const
export type Origin = (typeof ORIGINS)[number]

/** Where a step's fingerprints were seen before: counts, group × origins + origin. */
export type Matches = readonly number[]

export const MATCHES_LENGTH = GROUPS.length * ORIGINS.length

const PER_GROUP = ORIGINS.length

/** The origins that a class of fingerprint counts for: `ROW` bytes per class, the count and then indices into ORIGINS. */
const ROW = ORIGINS.length + 1
const COUNTS_FOR = new Uint8Array(CLASSES * ROW)
for (let bits = 0; bits < CLASSES; bits++) {
  const origins = ORIGINS.flatMap((origin, i) => (isOf(origin, bits) ? [i] : []))
  COUNTS_FOR.set([origins.length, ...origins], bits * ROW)
}

function isOf(origin: Origin, bits: number): boolean {
  const isVouched = (bits & (TASK | TRUSTED)) !== 0
  const holds: Readonly<Record<Origin, boolean>> = {
    total: true,
    task: (bits & TASK) !== 0,
    trusted: (bits & TRUSTED) !== 0,
    untrusted: (bits & UNTRUSTED) !== 0,
    untrustedOnly: (bits & UNTRUSTED) !== 0 && !isVouched,
    instructed: (bits & INSTRUCTED) !== 0,
    instructedOnly: (bits & INSTRUCTED) !== 0 && !isVouched,
    sensitive: (bits & SENSITIVE) !== 0,
    sensitiveOnly: (bits & SENSITIVE) !== 0 && (bits & TASK) === 0,
    nowhere: bits === 0,
  }
  return holds[origin]
}

/** A buffer for the classes of the fingerprints of one step. */
export const createFound = (): Uint8Array => new Uint8Array(LOOKED_UP_MAX)

const FOUND = createFound()
/** Copied for every step; a plain array of this size is faster to copy than a typed one. */
const NOTHING: number[] = Array.from({ length: MATCHES_LENGTH }, () => 0)

/** Counts where `fingerprints` were seen, and writes the classes of each into `found`. Only the first `LOOKED_UP_MAX` count. */
export function matchFingerprints(
  sources: Sources,
  fingerprints: readonly string[],
  found: Uint8Array = FOUND,
): Matches {
  const matches = NOTHING.slice()
  lookUpSources(sources, fingerprints, found)
  const count = Math.min(fingerprints.length, LOOKED_UP_MAX)
  for (let i = 0; i < count; i++) {
    const base = (GROUP_OF[(fingerprints[i] ?? '').charCodeAt(0)] ?? 0) * PER_GROUP
    const row = (found[i] ?? 0) * ROW
    for (let at = row + (COUNTS_FOR[row] ?? 0); at > row; at--) {
      const cell = base + (COUNTS_FOR[at] ?? 0)
      matches[cell] = (matches[cell] ?? 0) + 1
    }
  }
  return matches
}

const GROUP_AT = Object.fromEntries(GROUPS.map((group, i) => [group, i * PER_GROUP])) as Record<Group, number>
const ORIGIN_AT = Object.fromEntries(ORIGINS.map((origin, i) => [origin, i])) as Record<Origin, number>

export const countOf = (matches: Matches, group: Group, origin: Origin): number =>
  matches[GROUP_AT[group] + ORIGIN_AT[origin]] ?? 0

/** The share of a group's fingerprints that `origin` counts; 0 if the group is empty. */
export function shareOf(matches: Matches, group: Group, origin: Origin): number {
  const total = countOf(matches, group, 'total')
  return total === 0 ? 0 : countOf(matches, group, origin) / total
}

/** The sum over the distinctive values: targets, references and names. */
export const distinctiveShare = (matches: Matches, origin: Origin): number =>
  countOf(matches, 'target', origin) +
  countOf(matches, 'reference', origin) +
  countOf(matches, 'name', origin)
