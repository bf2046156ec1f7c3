import { HAS_DIGIT, HAS_LETTER } from '../../text/characters.js'
import { type Tokens, createTokenScanner } from '../../text/tokens.js'
import type { FingerprintList } from '../fingerprint-list.js'
import { type Candidates, type Tier, CANDIDATES_MAX, TIERS, createCandidates } from '../values/candidates.js'
import { type HiddenStarts, findParts, hiddenStartsOf } from '../values/parts.js'
import { isUpper } from '../values/places.js'
import { findValues } from '../values/values.js'
import { encodedTexts } from './encodings.js'
import { foldText, unwrapText } from './unwrap.js'

/** A value written in pieces, `7 7 3 0`, `77 30 19`, `K X 4 8 2`: neighbours this short are taken for one. */
const GROUP_DIGITS_MAX = 4
const GAP_UNITS_MAX = 3
const PIECES_MIN = 3
const SPELLED_SOLID_MIN = 5
export const SPELLED_SOLID_MAX = 40

/** Adds runs of short pieces; false where a run is longer than any value, so that what it holds is not known. */
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

/** Up to four digits, or one letter, or two capitals. */
function isPiece(text: string, { start, end, flags }: Tokens, at: number): boolean {
  const bits = flags[at] ?? 0
  const [first, after] = [start[at] ?? 0, end[at] ?? 0]
  if ((bits & HAS_LETTER) === 0) return after - first <= GROUP_DIGITS_MAX
  if (after - first === 1) return true
  return after - first === 2 && isUpper(text.charCodeAt(first)) && isUpper(text.charCodeAt(first + 1))
}

/** The whole run, its parts whose pieces stand equally far apart, and the digits of these. */
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

/** Adds the pieces `[from, to)` as one, as text: they must not make a target look unknown. False where they are too many. */
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

/** Encodings within encodings that are undone; what lies deeper is not known. */
const DEPTH_MAX = 3
/** What is decoded of one text, code units for each of its own, and beyond that; more is not known. */
const DECODED_SHARE = 2
const DECODED_UNITS_MIN = 4_096
/** A decoded text as short as this may be a value as a whole. */
const WHOLE_TOKENS_MAX = 6

const TIERS_OF_DECODED: readonly Tier[] = [TIERS.target, TIERS.id, TIERS.name, TIERS.weak]
/** Of a text in which little changes: the names in it were read as they stand. */
const TIERS_OF_PLAIN: readonly Tier[] = [TIERS.target, TIERS.id]

/** Another form of a text, or a text that stood encoded in it. */
interface Hidden {
  readonly text: string
  readonly depth: number
  readonly isDecoded: boolean
  readonly tiers: readonly Tier[]
}

/** What a text holds in other forms than it is written in. */
export interface HiddenForms {
  /** Its own parts and pieces; they are ranges of the text itself. */
  readonly parts: Candidates
  /** Texts that it holds, in order: unwrapped, decoded, decoded within these. */
  readonly texts: readonly Hidden[]
  /** Whether all that it holds was read. */
  readonly isWhole: boolean
  /** Units of the longest run that looks encoded and is no text; 0 where none is. */
  readonly unknown: number
}

const parts = createCandidates()
const values = createCandidates()
const partsOfHidden = createCandidates()
const scanHidden = createTokenScanner()

/** Looks for other forms of `text`: time linear in it, whatever it holds. Good until the next call. */
export function hiddenForms(text: string, tokens: Tokens): HiddenForms {
  parts.clear()
  const starts = hiddenStartsOf(tokens)
  const areParts = findParts(tokens, starts, parts)
  let isWhole = findSpelled(text, tokens, starts, parts) && areParts
  let room = DECODED_SHARE * text.length + DECODED_UNITS_MIN
  const texts: Hidden[] = []
  // Made where it is needed: most texts hide nothing, and to know a text again all of it is read.
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

/** Adds the values of the hidden texts until the list has `limit`; where they find no room the list says so. */
export function addHidden(list: FingerprintList, { texts }: HiddenForms, limit: number): void {
  for (const { text, isDecoded, tiers } of texts) {
    const tokens = scanHidden(text)
    values.clear()
    partsOfHidden.clear()
    findValues(text, tokens, 0, tokens.count, values)
    const starts = hiddenStartsOf(tokens)
    const areParts = findParts(tokens, starts, partsOfHidden)
    const isSpelled = findSpelled(text, tokens, starts, partsOfHidden)
    for (const tier of tiers) list.addTier(text, values, tier, limit)
    if (isDecoded && tokens.count <= WHOLE_TOKENS_MAX && list.size < limit)
      list.add('n', text, 0, text.length)
    list.addTier(text, partsOfHidden, TIERS.variant, limit)
    if (!areParts || !isSpelled || list.size >= limit || values.count >= CANDIDATES_MAX)
      return list.passOver()
  }
}
