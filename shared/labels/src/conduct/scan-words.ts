import type { SignalName } from '@plimsoll/contracts'
import { type Words, readTable, signalsIn, wordsIn } from '../text/data.js'
import { HASH_BASIS, HASH_PRIME, hashOfUnits } from '../text/tokens.js'

/** Weights of a text model; a word's is at its hash. */
export const TEXT_WEIGHTS = 8192
/** Code units of a word that its hash covers. */
const WORD_UNITS_MAX = 16

/** Kinds of words, each a group of stems; counted by signal. */
export interface Stems {
  readonly names: readonly SignalName[]
  /** By the first three letters: the stems, and the places of their kinds in `names`. */
  readonly byStart: ReadonlyMap<number, readonly (readonly [stem: string, kind: number])[]>
  /** One bit for each first three letters. Most words end here. */
  readonly starts: Int32Array
}

export function readStems(table: string): Stems {
  const tableOf = readTable<Readonly<Record<string, Words>>>('conduct', table)
  const kinds = Object.entries(tableOf)
  const byStart = new Map<number, (readonly [string, number])[]>()
  const starts = new Int32Array(STARTS / 32)
  for (const [kind, [, words]] of kinds.entries())
    for (const stem of wordsIn(words)) {
      const key = keyOf(stem.charCodeAt(0), stem.charCodeAt(1), stem.charCodeAt(2))
      byStart.set(key, [...(byStart.get(key) ?? []), [stem, kind]])
      starts[key >>> 5] = (starts[key >>> 5] ?? 0) | (1 << (key & 31))
    }
  return { names: signalsIn(tableOf), byStart, starts }
}

/** What one pass over a text finds. Words are runs of Latin letters, parted where a capital begins, and options of commands. */
export interface WordScan {
  /** Called with the bucket of each word's hash; the same word comes again each time. */
  readonly onWord: (bucket: number, start: number, end: number) => void
  /** Counts by kind of `stems`. */
  readonly counts: Int32Array
}

/** Scans `units[0…length)` in one pass. `salt` parts words of one use from those of another. */
export function scanWords(
  units: Uint16Array,
  length: number,
  stems: Stems | undefined,
  { onWord, counts }: WordScan,
  salt = 0,
): void {
  const basis = Math.imul(HASH_BASIS ^ salt, HASH_PRIME)
  let at = 0
  while (at < length) {
    const kind = KIND[units[at] ?? 0] ?? OTHER
    if (kind === OTHER) {
      at++
      continue
    }
    const start = at
    let hash = basis
    if (kind === HYPHEN) {
      at = endOfOption(units, start, length)
      hash = hashOfUnits(units, start, Math.min(at, start + WORD_UNITS_MAX), hash)
    } else {
      // A run of capitals, or small letters behind at most one capital.
      hash = Math.imul(hash ^ ((units[at++] ?? 0) | 32), HASH_PRIME)
      const run = kind === UPPER && kindAt(units, at, length) === UPPER ? UPPER : LOWER
      const last = Math.min(length, start + WORD_UNITS_MAX)
      while (at < last && KIND[units[at] ?? 0] === run)
        hash = Math.imul(hash ^ ((units[at++] ?? 0) | 32), HASH_PRIME)
      if (at === last) while (at < length && KIND[units[at] ?? 0] === run) at++
    }
    if (at - start < 2) continue
    onWord((hash ^ (hash >>> 15)) & (TEXT_WEIGHTS - 1), start, at)
    if (stems && kind !== HYPHEN && at - start >= 3) countStem(units, start, length, stems, counts)
  }
}

const OTHER = 0
const LOWER = 1
const UPPER = 2
const HYPHEN = 3
const KIND = Uint8Array.from({ length: 0x10000 }, (_, code) =>
  code >= 97 && code <= 122 ? LOWER : code >= 65 && code <= 90 ? UPPER : code === 45 ? HYPHEN : OTHER,
)
const kindAt = (units: Uint16Array, at: number, length: number): number =>
  at < length ? (KIND[units[at] ?? 0] ?? OTHER) : OTHER

/** `-n`, `--no-verify`: an option begins a word. */
function endOfOption(units: Uint16Array, start: number, length: number): number {
  if (start > 0 && isWordUnit(units[start - 1] ?? 0)) return start + 1
  if (kindAt(units, start + 1, length) === OTHER) return start + 1
  let at = start
  while (kindAt(units, at, length) === HYPHEN || kindAt(units, at, length) === LOWER) at++
  return at
}

const isWordUnit = (code: number): boolean => (code >= 48 && code <= 57) || (KIND[code] ?? OTHER) !== OTHER

/** Five bits of each of three letters, ignoring case. */
const STARTS = 1 << 15
const keyOf = (first: number, second: number, third: number): number =>
  ((first & 31) << 10) | ((second & 31) << 5) | (third & 31)

function countStem(units: Uint16Array, at: number, length: number, stems: Stems, counts: Int32Array): void {
  const key = keyOf(units[at] ?? 0, units[at + 1] ?? 0, units[at + 2] ?? 0)
  if ((((stems.starts[key >>> 5] ?? 0) >>> (key & 31)) & 1) === 0) return
  for (const [stem, kind] of stems.byStart.get(key) ?? [])
    if (startsAt(units, at, length, stem)) {
      counts[kind] = (counts[kind] ?? 0) + 1
      return
    }
}

function startsAt(units: Uint16Array, at: number, length: number, stem: string): boolean {
  if (at + stem.length > length) return false
  for (let i = 0; i < stem.length; i++) if (((units[at + i] ?? 0) | 32) !== stem.charCodeAt(i)) return false
  return true
}
