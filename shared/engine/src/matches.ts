import { INSTRUCTED, SENSITIVE, TASK, TRUSTED, UNTRUSTED } from './classes.js'
import { LOOKED_UP_MAX, lookUp, type Sources } from './sources.js'

/** Kinds of fingerprints by what they tell: where a step goes, what it speaks of, who, running text, and words. */
export const GROUPS = ['target', 'reference', 'name', 'gram', 'word', 'tool', 'description'] as const
export type Group = (typeof GROUPS)[number]

/** By letter: index into GROUPS. */
const GROUP_OF: Readonly<Record<string, number>> = {
  a: 0,
  c: 0,
  u: 0,
  p: 1,
  i: 1,
  n: 2,
  g: 3,
  w: 4,
  t: 5,
  d: 6,
}

/**
 * What is counted of each group. One fingerprint may count for several: `untrustedOnly` and `instructedOnly` leave out what the task or
 * a trusted result has too, `sensitiveOnly` what the task has too.
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
export type Matches = Uint8Array

export const MATCHES_LENGTH = GROUPS.length * ORIGINS.length

const PER_GROUP = ORIGINS.length

/** For each class, the indices into ORIGINS for which a fingerprint seen in it counts. */
const COUNTS_FOR: readonly (readonly number[])[] = Array.from({ length: 32 }, (_, bits) =>
  ORIGINS.flatMap((origin, i) => (isOf(origin, bits) ? [i] : [])),
)

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

const FOUND = new Uint8Array(LOOKED_UP_MAX)

/** Counts where `fingerprints` were seen. Of more than `LOOKED_UP_MAX` the first count. */
export function matchFingerprints(sources: Sources, fingerprints: readonly string[]): Matches {
  const matches = new Uint8Array(MATCHES_LENGTH)
  lookUp(sources, fingerprints, FOUND)
  const count = Math.min(fingerprints.length, LOOKED_UP_MAX)
  for (let i = 0; i < count; i++) {
    const base = (GROUP_OF[fingerprints[i]?.[0] ?? ''] ?? 0) * PER_GROUP
    for (const origin of COUNTS_FOR[FOUND[i] ?? 0] ?? [])
      matches[base + origin] = (matches[base + origin] ?? 0) + 1
  }
  return matches
}

const GROUP_AT = Object.fromEntries(GROUPS.map((group, i) => [group, i * PER_GROUP])) as Record<Group, number>
const ORIGIN_AT = Object.fromEntries(ORIGINS.map((origin, i) => [origin, i])) as Record<Origin, number>

export const countOf = (matches: Matches, group: Group, origin: Origin): number =>
  matches[GROUP_AT[group] + ORIGIN_AT[origin]] ?? 0

/** Of a group's fingerprints the part that `origin` counts; 0 where there are none. */
export function shareOf(matches: Matches, group: Group, origin: Origin): number {
  const total = countOf(matches, group, 'total')
  return total === 0 ? 0 : countOf(matches, group, origin) / total
}

/** Of the values that tell most: targets, references and names. */
export const tellingOf = (matches: Matches, origin: Origin): number =>
  countOf(matches, 'target', origin) +
  countOf(matches, 'reference', origin) +
  countOf(matches, 'name', origin)
