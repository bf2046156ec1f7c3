import { HAS_DIGIT, HAS_LETTER } from '../../text/characters.js'
import { type Tokens, createTokenScanner } from '../../text/tokens.js'
import type { FingerprintList } from '../fingerprint-list.js'
import { type Candidates, type Tier, CANDIDATES_MAX, TIERS, createCandidates } from '../values/candidates.js'
import { type HiddenStarts, findParts, hiddenStartsOf } from '../values/parts.js'
import { isUpper } from '../values/places.js'
import { findValues } from '../values/values.js'
import { encodedTexts } from './encodings.js'
import { foldText, unwrapText } from './unwrap.js'

/** Limits for values written in pieces: `7 7 3 0`, `77 30 19`, `K X 4 8 2`. Short neighbours are joined. */
const GROUP_DIGITS_MAX = 4
const GAP_UNITS_MAX = 3
const PIECES_MIN = 3
const SPELLED_SOLID_MIN = 5
export const SPELLED_SOLID_MAX = 40

/** Adds runs of short pieces. Returns false if a run is longer than any value, so that its content is unknown. */
export function findSpelled(text: string, tokens: Tokens, starts: HiddenStarts, found: Candidates): boolean {
  const { start, end, count } = tokens
  let isWhole = true
  let done = 0
  for (let i = 0; i < starts.count; i++) {
    const from = starts.at[i] ?? 0
    if (from < done || !isPiece(text, tokens, from)) continue
    if (found.count >= CANDIDATES_MAX) return false
    let to = from + 1
    while (to < count && (start[to] ?? 0) - (end[to - 1] ?? 0) <= GAP_UNITS_MAX && isPiece(text, tokens, to))
      to++
    if (to - from >= PIECES_MIN) isWhole = addRun(text, tokens, from, to, found) && isWhole
    done = to
  }
  return isWhole
}

/** Up to four digits, one letter, or two capitals. */
function isPiece(text: string, { start, end, flags }: Tokens, at: number): boolean {
  const bits = flags[at] ?? 0
  const [first, after] = [start[at] ?? 0, end[at] ?? 0]
  if ((bits & HAS_LETTER) === 0) return after - first <= GROUP_DIGITS_MAX
  if (after - first === 1) return true
  return after - first === 2 && isUpper(text.charCodeAt(first)) && isUpper(text.charCodeAt(first + 1))
}

/** Adds the whole run, its evenly spaced parts, and the digits of these. */
function addRun(text: string, tokens: Tokens, from: number, to: number, found: Candidates): boolean {
  const { start, end } = tokens
  let at = from
  while (at + 1 < to) {
    const gap = text.slice(end[at] ?? 0, start[at + 1] ?? 0)
    let last = at + 1
    while (last + 1 < to && text.slice(end[last] ?? 0, start[last + 1] ?? 0) === gap) last++
    if (last - at + 1 >= PIECES_MIN) {
      addJoined(tokens, at, last + 1, found)
      addDigitRuns(tokens, at, last + 1, found)
    }
    at = last
  }
  return addJoined(tokens, from, to, found)
}

function addDigitRuns(tokens: Tokens, from: number, to: number, found: Candidates): void {
  let first = from
  for (let at = from; at <= to; at++) {
    if (at < to && ((tokens.flags[at] ?? 0) & HAS_LETTER) === 0) continue
    if (at - first >= PIECES_MIN && at - first < to - from) addJoined(tokens, first, at, found)
    first = at + 1
  }
}

/** Adds the pieces `[from, to)` joined, as text, so that they cannot make a target look unknown. Returns false if they are too many. */
function addJoined({ start, end, flags }: Tokens, from: number, to: number, found: Candidates): boolean {
  let solid = 0
  let digits = 0
  for (let at = from; at < to && solid <= SPELLED_SOLID_MAX; at++) {
    const size = (end[at] ?? 0) - (start[at] ?? 0)
    solid += size
    if (((flags[at] ?? 0) & HAS_DIGIT) !== 0) digits += size
  }
  if (solid > SPELLED_SOLID_MAX) return false
  const isLong = digits > 0 ? solid >= SPELLED_SOLID_MIN : to - from >= SPELLED_SOLID_MIN
  if (isLong) found.add('g', TIERS.variant, start[from] ?? 0, end[to - 1] ?? 0)
  return true
}

/** Nested encodings that are decoded; deeper ones are unknown. */
const DEPTH_MAX = 3
/** Limits of decoded text, in code units per unit of the original, and at least. The rest is unknown. */
const DECODED_SHARE = 2
const DECODED_UNITS_MIN = 4_096
/** A decoded text of at most this many tokens may be one value. */
const WHOLE_TOKENS_MAX = 6

const TIERS_OF_DECODED: readonly Tier[] = [TIERS.target, TIERS.id, TIERS.name, TIERS.weak]
/** Fewer tiers for text with few changes, because its names were read in the original. */
const TIERS_OF_PLAIN: readonly Tier[] = [TIERS.target, TIERS.id]

/** A rewritten or decoded form of a text. */
interface Hidden {
  readonly text: string
  readonly depth: number
  readonly isDecoded: boolean
  readonly tiers: readonly Tier[]
}

/** The hidden forms in a text. */
export interface HiddenForms {
  /** Parts and joined pieces, as ranges of the text itself. */
  readonly parts: Candidates
  /** Hidden texts in order: unwrapped, decoded, and decoded within these. */
  readonly texts: readonly Hidden[]
  /** Whether everything hidden was read. */
  readonly isWhole: boolean
  /** Code units of the longest run that looks encoded but is no text; 0 if there is none. */
  readonly unknown: number
}

const parts = createCandidates()
const values = createCandidates()
const partsOfHidden = createCandidates()
const scanHidden = createTokenScanner()

/** Finds hidden forms of `text` in linear time. The result is valid until the next call. */
export function hiddenForms(text: string, tokens: Tokens): HiddenForms {
  parts.clear()
  const starts = hiddenStartsOf(tokens)
  const areParts = findParts(tokens, starts, parts)
  let isWhole = findSpelled(text, tokens, starts, parts) && areParts
  let room = DECODED_SHARE * text.length + DECODED_UNITS_MIN
  const texts: Hidden[] = []
  // Created on demand: most texts hide nothing, and the set must hash whole texts.
  let met: Set<string> | undefined

  function note(found: string, depth: number, isDecoded: boolean, isDense = true): void {
    if (found === '' || met?.has(found)) return
    if (depth > DEPTH_MAX || found.length > room) return void (isWhole = false)
    room -= found.length
    met ??= new Set([text])
    met.add(found)
    texts.push({ text: found, depth, isDecoded, tiers: isDense ? TIERS_OF_DECODED : TIERS_OF_PLAIN })
  }

  let unknown = 0
  function open(from: string, fromTokens: Tokens, fromStarts: HiddenStarts, depth: number): void {
    const encoded = encodedTexts(from, fromTokens, fromStarts)
    unknown = Math.max(unknown, encoded.unknown)
    for (const plain of [unwrapText(from), foldText(from)]) note(plain.text, depth, false, plain.isDense)
    for (const each of encoded.texts) note(each, depth, true)
  }

  open(text, tokens, starts, 1)
  for (let at = 0; at < texts.length; at++) {
    const hidden = texts[at]
    if (!hidden) break
    const hiddenTokens = scanHidden(hidden.text)
    open(hidden.text, hiddenTokens, hiddenStartsOf(hiddenTokens), hidden.depth + 1)
  }
  return { parts, texts, isWhole, unknown }
}

/** Adds the values of the hidden texts until the list has `limit` entries. Marks the list if they do not fit. */
export function addHidden(list: FingerprintList, { texts }: HiddenForms, limit: number): void {
  for (const { text, isDecoded, tiers } of texts) {
    const tokens = scanHidden(text)
    values.clear()
    partsOfHidden.clear()
    findValues(text, tokens, 0, tokens.count, values)
    const starts = hiddenStartsOf(tokens)
    const areParts = findParts(tokens, starts, partsOfHidden)
    const isSpelled = findSpelled(text, tokens, starts, partsOfHidden)
    for (const tier of tiers) list.addTier(tokens.units, values, tier, limit)
    if (isDecoded && tokens.count <= WHOLE_TOKENS_MAX && list.size < limit) list.addText('n', text)
    list.addTier(tokens.units, partsOfHidden, TIERS.variant, limit)
    if (!areParts || !isSpelled || list.size >= limit || values.count >= CANDIDATES_MAX)
      return list.markPartial()
  }
}
