import { type Words, readTable, wordsIn } from '../text/data.js'
import { HASH_BASIS, HASH_PRIME } from '../text/tokens.js'

/** Weights of a text model; a word's is at its hash. */
export const TEXT_WEIGHTS = 8192
/** Code units of a word that its hash covers. */
const WORD_UNITS_MAX = 16

/** Kinds of words, each a group of stems; counted by signal. */
export interface Stems {
  readonly names: readonly string[]
  /** By the first three letters: the stems, and the places of their kinds in `names`. */
  readonly byStart: ReadonlyMap<number, readonly (readonly [stem: string, kind: number])[]>
}

export function readStems(table: string): Stems {
  const kinds = Object.entries(readTable<Readonly<Record<string, Words>>>('conduct', table))
  const byStart = new Map<number, (readonly [string, number])[]>()
  for (const [kind, [, words]] of kinds.entries())
    for (const stem of wordsIn(words)) {
      const key = keyAt(stem, 0)
      byStart.set(key, [...(byStart.get(key) ?? []), [stem, kind]])
    }
  return { names: kinds.map(([name]) => name), byStart }
}

/** What one pass over a text finds. Words are runs of Latin letters, parted where a capital begins, and options of commands. */
export interface WordScan {
  /** Called with the bucket of each word's hash; the same word comes again each time. */
  readonly onWord: (bucket: number, start: number, end: number) => void
  /** Counts by kind of `stems`. */
  readonly counts: Int32Array
}

/** Scans `text` in one pass. `salt` parts words of one use from those of another. */
export function scanWords(
  text: string,
  stems: Stems | undefined,
  { onWord, counts }: WordScan,
  salt = 0,
): void {
  const length = text.length
  let at = 0
  while (at < length) {
    const kind = KIND[text.charCodeAt(at) & 127] ?? 0
    if (text.charCodeAt(at) > 127 || kind === OTHER) {
      at++
      continue
    }
    const end = kind === HYPHEN ? endOfOption(text, at) : endOfWord(text, at)
    if (end - at >= 2) {
      onWord(bucketOf(text, at, end, salt), at, end)
      if (stems && kind !== HYPHEN && end - at >= 3) countStem(text, at, stems, counts)
    }
    at = Math.max(end, at + 1)
  }
}

const OTHER = 0
const LOWER = 1
const UPPER = 2
const HYPHEN = 3
const KIND = Uint8Array.from({ length: 128 }, (_, code) =>
  code >= 97 && code <= 122 ? LOWER : code >= 65 && code <= 90 ? UPPER : code === 45 ? HYPHEN : OTHER,
)
const kindAt = (text: string, at: number): number => {
  const code = text.charCodeAt(at)
  return code < 128 ? (KIND[code] ?? OTHER) : OTHER
}

function endOfWord(text: string, start: number): number {
  let at = start + 1
  if (kindAt(text, start) === UPPER && kindAt(text, at) === UPPER) {
    while (kindAt(text, at) === UPPER) at++
    return at
  }
  while (kindAt(text, at) === LOWER) at++
  return at
}

/** `-n`, `--no-verify`: an option begins a word. */
function endOfOption(text: string, start: number): number {
  if (start > 0 && isWordUnit(text.charCodeAt(start - 1))) return start + 1
  let at = start
  while (kindAt(text, at) === HYPHEN || kindAt(text, at) === LOWER) at++
  return kindAt(text, start + 1) === OTHER ? start + 1 : at
}

const isWordUnit = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code < 128 && (KIND[code] ?? OTHER) !== OTHER)

/** FNV-1a of the lower-case letters, by table. */
function bucketOf(text: string, start: number, end: number, salt: number): number {
  let hash = Math.imul(HASH_BASIS ^ salt, HASH_PRIME)
  const last = Math.min(end, start + WORD_UNITS_MAX)
  for (let at = start; at < last; at++) hash = Math.imul(hash ^ (text.charCodeAt(at) | 32), HASH_PRIME)
  return ((hash ^ (hash >>> 15)) >>> 0) % TEXT_WEIGHTS
}

const keyAt = (text: string, at: number): number =>
  ((text.charCodeAt(at) | 32) << 16) | ((text.charCodeAt(at + 1) | 32) << 8) | (text.charCodeAt(at + 2) | 32)

function countStem(text: string, at: number, { byStart }: Stems, counts: Int32Array): void {
  const candidates = byStart.get(keyAt(text, at))
  if (!candidates) return
  for (const [stem, kind] of candidates)
    if (startsAt(text, at, stem)) {
      counts[kind] = (counts[kind] ?? 0) + 1
      return
    }
}

function startsAt(text: string, at: number, stem: string): boolean {
  for (let i = 3; i < stem.length; i++)
    if ((text.charCodeAt(at + i) | 32) !== stem.charCodeAt(i)) return false
  return true
}
