import { CLASSES, INSTRUCTED, SOUGHT, SENSITIVE, TASK, UNTRUSTED } from '../labels/safety-state.js'

/**
 * What a session has read, as fingerprints in one bounded text: groups in the order in which they were seen, each a character for its
 * class and then its fingerprints, eight characters each (the letter of the kind and 35 bits in base32). The text goes into the
 * session's record as it is, so that a session without fingerprints costs nothing and none is parsed before something is looked up.
 *
 * A mark at its very beginning says that something sensitive is not in it: it was forgotten, or read without fingerprints.
 */
export type Sources = string

export const NO_SOURCES: Sources = ''

/** Maximum length of sources: about 760 fingerprints. `forget` defines what goes first. */
export const SOURCES_MAX = 6144

export const CELL = 8
const BLIND = '?'
/** A character for each class, by its bits; none of them occurs in a fingerprint or has to be escaped in JSON. */
const PLAIN_HEADS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ!#$%&('
/** Of untrusted results that the agent looked up: plain, instructed, sensitive, both. Other classes have no such part. */
const SOUGHT_HEADS = ')*+,'
const headOf = (bits: number): string => {
  const isSought = (bits & SOUGHT) !== 0 && (bits & UNTRUSTED) !== 0 && (bits & 3) === 0
  return isSought
    ? SOUGHT_HEADS.charAt((bits & (INSTRUCTED | SENSITIVE)) >> 3)
    : PLAIN_HEADS.charAt(bits & ~SOUGHT)
}
const HEADS: readonly string[] = Array.from({ length: CLASSES }, (_, bits) => headOf(bits))
const LETTERS = 'acupingwtd'
const LETTER_MIN = 'a'.charCodeAt(0)
const BLIND_CODE = BLIND.charCodeAt(0)
const NO_CLASS = 255
/** The class of each character. */
const CLASS_AT = new Uint8Array(128).fill(NO_CLASS)
// Downwards, as a class that cannot be sought shares its head with the plain one.
for (let bits = CLASSES - 1; bits >= 0; bits--) CLASS_AT[headOf(bits).charCodeAt(0)] = bits
const IS_LETTER = new Uint8Array(128)
for (let i = 0; i < LETTERS.length; i++) IS_LETTER[LETTERS.charCodeAt(i)] = 1

/** Maximum number of fingerprints in one look-up: those of a result, which the contract lets have most. */
export const LOOKED_UP_MAX = 192
/** The longest list of what is no result. One so long may lack some. */
export const LISTED_MAX = 128

/**
 * The fingerprints looked up at present, by their first characters: `FIRST[slot]` and `NEXT[i]` are 1 + an index, 0 at a chain's end. They
 * are few and the text is long, so the text is walked once and each of its cells compared with those of its slot. Kept between
 * calls for their memory alone; every look-up leaves `FIRST` empty.
 */
const FIRST = new Uint8Array(4096)
const NEXT = new Uint8Array(LOOKED_UP_MAX)
const SLOT = new Uint16Array(LOOKED_UP_MAX)

const codeAt = (table: Uint8Array, text: string, at: number): number => table[text.charCodeAt(at) & 127] ?? 0

/** The slot of a fingerprint by the codes of its first three hash characters. Slots are shared, so fingerprints are compared in full. */
const slotOf = (first: number, second: number, third: number): number =>
  ((first & 31) << 7) | ((second & 31) << 2) | (third & 3)

/**
 * Writes into `found[i]` the classes in which `fingerprints[i]` was seen, as bits; 0 if nowhere. The kind letter is ignored: equal
 * values match whatever their kind. O(fingerprints + sources).
 */
export function lookUpSources(sources: Sources, fingerprints: readonly string[], found: Uint8Array): void {
  const count = Math.min(fingerprints.length, LOOKED_UP_MAX)
  found.fill(0, 0, count)
  if (sources.length < CELL || count === 0) return
  for (let i = 0; i < count; i++) {
    const fingerprint = fingerprints[i] ?? ''
    const slot = slotOf(fingerprint.charCodeAt(1), fingerprint.charCodeAt(2), fingerprint.charCodeAt(3))
    SLOT[i] = slot
    NEXT[i] = FIRST[slot] ?? 0
    FIRST[slot] = i + 1
  }
  walk(sources, fingerprints, found)
  for (let i = 0; i < count; i++) FIRST[SLOT[i] ?? 0] = 0
}

/** A byte copy of the sources, several times faster to read than the text. */
const BYTES = new Uint8Array(SOURCES_MAX + CELL)
const encoder = new TextEncoder()
/** The sources that `BYTES` holds, and their length: a step looks up in the same ones several times. */
let copied: Sources | undefined
let copiedLength = 0

/** Copies the sources into `BYTES`. No writer produces a longer text, so the rest is ignored. */
function copy(sources: Sources): number {
  if (copied === sources) return copiedLength
  copiedLength = encoder.encodeInto(sources, BYTES).written
  copied = sources
  return copiedLength
}

function walk(sources: Sources, fingerprints: readonly string[], found: Uint8Array): void {
  const length = copy(sources)
  let bits = 0
  let at = BYTES[0] === BLIND_CODE ? 1 : 0
  while (at < length) {
    const code = BYTES[at] ?? 0
    if (code < LETTER_MIN) {
      bits = CLASS_AT[code] ?? 0
      at++
      continue
    }
    const slot = slotOf(BYTES[at + 1] ?? 0, BYTES[at + 2] ?? 0, BYTES[at + 3] ?? 0)
    for (let next = FIRST[slot] ?? 0; next !== 0; next = NEXT[next - 1] ?? 0)
      if (isSame(at, fingerprints[next - 1] ?? '')) found[next - 1] = (found[next - 1] ?? 0) | bits
    at += CELL
  }
}

function isSame(at: number, fingerprint: string): boolean {
  // From the end, as those of one slot begin alike.
  for (let i = CELL - 1; i > 0; i--) if (BYTES[at + i] !== fingerprint.charCodeAt(i)) return false
  return true
}

const KNOWN = new Uint8Array(LOOKED_UP_MAX)

/** `sources` with `fingerprints` seen in the class `bits`; known ones are not added twice. */
export function addSource(sources: Sources, fingerprints: readonly string[], bits: number): Sources {
  lookUpSources(sources, fingerprints, KNOWN)
  const headed = sources + (HEADS[bits] ?? '')
  let grown = headed
  for (let i = 0; i < fingerprints.length && i < LOOKED_UP_MAX; i++)
    if (((KNOWN[i] ?? 0) & bits) !== bits) grown += fingerprints[i] ?? ''
  if (grown.length === headed.length) return sources
  // There is always room for the mark.
  return grown.length >= SOURCES_MAX ? evictSources(grown) : grown
}

/** Maximum number of kept fingerprints from the user, so that room is left for what the session reads. */
export const NAMED_MAX = 256

/**
 * `sources` with `fingerprints` named by the user, in the task or later. Beyond `NAMED_MAX` the oldest after the task is forgotten
 * first; a repeated one counts as new.
 */
export function addNamedValues(sources: Sources, fingerprints: readonly string[]): Sources {
  return addSource(withRoomFor(sources, fingerprints), fingerprints, TASK)
}

function withRoomFor(sources: Sources, fingerprints: readonly string[]): Sources {
  const groups = groupsOf(sources)
  const first = groups.findIndex(({ bits }) => bits === TASK)
  if (first === -1) return sources
  const isLater = (i: number): boolean => i > first && groups[i]?.bits === TASK
  const again = new Set(fingerprints.slice(0, LOOKED_UP_MAX).map((each) => each.slice(1)))
  const task = groups[first]?.cells ?? ''
  const added = again.size - (task.length - cellsBut(task, again).length) / CELL
  const kept = groups.map((group, i) =>
    isLater(i) ? { ...group, cells: cellsBut(group.cells, again) } : group,
  )
  const named = kept.reduce((sum, { bits, cells }) => sum + (bits === TASK ? cells.length / CELL : 0), 0)
  let surplus = named + added - NAMED_MAX
  const left = kept.map((group, i) => {
    if (surplus <= 0 || !isLater(i)) return group
    const gone = Math.min(surplus, group.cells.length / CELL)
    surplus -= gone
    return { ...group, cells: group.cells.slice(0, group.cells.length - gone * CELL) }
  })
  return (isBlind(sources) ? BLIND : '') + left.map(textOfGroup).join('')
}

function cellsBut(cells: string, without: ReadonlySet<string>): string {
  let kept = ''
  for (let at = 0; at < cells.length; at += CELL)
    if (!without.has(cells.slice(at + 1, at + CELL))) kept += cells.slice(at, at + CELL)
  return kept
}

/** A record has no empty group. */
const textOfGroup = ({ bits, cells }: Group): string => (cells === '' ? '' : (HEADS[bits] ?? '') + cells)

/** Whether something sensitive was read that is not in the sources. */
export const isBlind = (sources: Sources): boolean => sources.charCodeAt(0) === BLIND_CODE

export const blinded = (sources: Sources): Sources => (isBlind(sources) ? sources : BLIND + sources)

/**
 * `sources` cut to their bound: the oldest plain data goes first, then the oldest sensitive or instructed data, and the task's own
 * values last. Once something sensitive was forgotten, the sources are marked.
 */
function evictSources(sources: Sources): Sources {
  let kept = sources
  for (const isSpared of SPARED) {
    if (kept.length < SOURCES_MAX) break
    kept = evictExcept(kept, isSpared)
  }
  return kept
}

const SPARED: readonly ((bits: number) => boolean)[] = [
  (bits) => (bits & (TASK | INSTRUCTED | SENSITIVE)) !== 0,
  (bits) => (bits & TASK) !== 0,
  () => false,
]

/** Extra characters to drop at once, so that several steps fit before the next cut. */
const FORGOTTEN_AT_ONCE = 512

/** Whether `sources` may be missing something: they were full once, or are nearly full. */
export const mayHaveEvicted = (sources: Sources): boolean =>
  sources.length > SOURCES_MAX - 2 * FORGOTTEN_AT_ONCE

/** Lists start with the most distinctive values, so a list is cut at its end. */
function evictExcept(sources: Sources, isSpared: (bits: number) => boolean): Sources {
  let surplus = sources.length - SOURCES_MAX + FORGOTTEN_AT_ONCE
  let isNowBlind = isBlind(sources)
  let kept = ''
  let at = isNowBlind ? 1 : 0
  // What is kept of the groups before is added at once, from here on: a piece for each would be a text for each.
  let from = at
  while (at < sources.length && surplus > 0) {
    const bits = codeAt(CLASS_AT, sources, at)
    const end = groupEnd(sources, at)
    const cells = end - at - 1
    const gone = isSpared(bits) ? 0 : Math.min(Math.ceil(surplus / CELL), cells / CELL) * CELL
    if (gone > 0) {
      if (bits & SENSITIVE) isNowBlind = true
      surplus -= gone
      const isWhole = gone === cells
      if (isWhole) surplus--
      kept += sources.slice(from, isWhole ? at : end - gone)
      from = end
    }
    at = end
  }
  kept += sources.slice(from)
  return isNowBlind ? BLIND + kept : kept
}

/** The end of the group whose head is at `head`. */
function groupEnd(sources: Sources, head: number): number {
  let at = head + 1
  while (at < sources.length && codeAt(CLASS_AT, sources, at) === NO_CLASS) at += CELL
  return at
}

/** The place, among the groups in order, of the first that has all of `bits` and holds `fingerprint`; Infinity if none does. */
export function firstGroupOf(sources: Sources, fingerprint: string, bits: number, ofKind = false): number {
  const at = groupsOf(sources).findIndex(
    (group) => (group.bits & bits) === bits && has(group.cells, fingerprint, ofKind),
  )
  return at < 0 ? Infinity : at
}

/** Whether the value of `fingerprint` was read as one of the kinds `letters`, in sensitive data. */
export const wasReadAs = (sources: Sources, fingerprint: string, letters: string): boolean =>
  Array.from(letters).some(
    (letter) => firstGroupOf(sources, letter + fingerprint.slice(1), SENSITIVE, true) < Infinity,
  )

/** Whether one of `fingerprints` is in a group of exactly this class. */
export const isIn = (sources: Sources, fingerprints: readonly string[], bits: number): boolean =>
  groupsOf(sources).some(
    (group) => group.bits === bits && fingerprints.some((each) => has(group.cells, each)),
  )

/** Whether a group with `bits` holds a fingerprint of the kind `letter`. */
export function hasKindIn(sources: Sources, bits: number, letter: string): boolean {
  const length = copy(sources)
  const kind = letter.charCodeAt(0)
  let isWithin = false
  let at = BYTES[0] === BLIND_CODE ? 1 : 0
  while (at < length) {
    const code = BYTES[at] ?? 0
    if (code < LETTER_MIN) isWithin = ((CLASS_AT[code] ?? 0) & bits) === bits
    else if (isWithin && code === kind) return true
    at += code < LETTER_MIN ? 1 : CELL
  }
  return false
}

/** Whether there is a group of exactly this class. */
export const hasClass = (sources: Sources, bits: number): boolean =>
  groupsOf(sources).some((group) => group.bits === bits)

/** Fingerprints are compared without their kind, unless `ofKind`. */
function has(cells: string, fingerprint: string, ofKind = false): boolean {
  const from = ofKind ? 0 : 1
  const value = fingerprint.slice(from)
  for (let at = cells.indexOf(value); at >= 0; at = cells.indexOf(value, at + 1))
    if (at % CELL === from) return true
  return false
}

interface Group {
  readonly bits: number
  readonly cells: string
}

export function groupsOf(sources: Sources): Group[] {
  const groups: Group[] = []
  let at = isBlind(sources) ? 1 : 0
  while (at < sources.length) {
    const bits = codeAt(CLASS_AT, sources, at)
    const from = at + 1
    at = groupEnd(sources, at)
    groups.push({ bits, cells: sources.slice(from, at) })
  }
  return groups
}

/** Whether `text` could have been written here: groups of whole fingerprints, none empty, within the bound. */
export function isSources(text: string): boolean {
  if (text.length > SOURCES_MAX) return false
  let at = isBlind(text) ? 1 : 0
  let isAfterHead = false
  if (at < text.length && codeAt(CLASS_AT, text, at) === NO_CLASS) return false
  while (at < text.length) {
    const isHead = codeAt(CLASS_AT, text, at) !== NO_CLASS
    if (isHead ? isAfterHead : codeAt(IS_LETTER, text, at) === 0) return false
    isAfterHead = isHead
    at += isHead ? 1 : CELL
  }
  return at === text.length && !isAfterHead
}
