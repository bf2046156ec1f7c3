import {
  AFTER_ASSIGN,
  AFTER_BRACKET,
  AFTER_NEWLINE,
  AFTER_QUOTE,
  AFTER_SENTENCE,
  HAS_AT,
  HAS_DIGIT,
  HAS_DOT,
  HAS_INVISIBLE,
  HAS_JOINER,
  HAS_LETTER,
  HAS_LOWER,
  HAS_SLASH,
  HAS_UPPER,
  IS_URL,
  STARTS_UPPER,
} from '../text/characters.js'
import { type Tokens, isPlain } from '../text/tokens.js'
import {
  ACTS,
  BEFORE_VERB,
  COMMANDED,
  LEAD,
  SURFACE,
  PAIR,
  PAIRING,
  PREFIX,
  PRESENCE,
  bitOf,
  pushBits,
  surfaceBit,
} from './features.js'
import { type Outline, emptyOutline, growFeatures, growSegments } from './outline-buffers.js'
import { type Gap, SEGMENT_TOKENS_MAX, readGap } from './segments.js'
import { classesOf, classesOfMisspelt, classesOfWord, hashOf } from './words.js'

/** Longest word, in code units, that a list may have. */
const WORD_UNITS_MAX = 20
/** From this length on, digits, or digits with capitals, count as a distinctive number. */
const NUMBER_UNITS_MIN = 6
const PREFIX_TOKENS_MAX = 4
const SKIPPED_MAX = 3
/** Room for all pairs and all other features. */
const SEGMENT_FEATURES_MAX = 1_400

const PLACE = bitOf('place')
const NUMBER = bitOf('number')
const NAME = bitOf('name')
const IDENTIFIER = bitOf('identifier')
const ME = bitOf('me')
const ASSET = bitOf('asset')
const NARRATING = bitOf('narrating')
const ORDER = bitOf('order')
/** Gaps that are examined. The others are spaces, commas, and a full stop glued to the next word. */
const BREAKING = AFTER_SENTENCE | AFTER_NEWLINE | AFTER_BRACKET | AFTER_QUOTE | AFTER_ASSIGN | HAS_DOT

/** State of the segment that is being read. */
interface Draft {
  presence: number
  lead: number
  prefix: number
  marks: number
  skipped: number
  leading: boolean
  capitals: number
  acts: number
  /** Words behind a bracket or a sign of assignment, or with a dot inside. */
  joined: number
  words: number
}

/** Creates a reader with its own buffers; the result is valid until its next call. */
export function createOutliner(): (text: string, tokens: Tokens) => Outline {
  const outline = emptyOutline(512, 16_384)
  const gap: Gap = { breaks: false, before: 0, after: 0 }
  const pairs = new Int32Array(32)
  return (text, tokens) => {
    const { count, start: starts, end: ends, flags: allFlags, units } = tokens
    outline.count = 0
    outline.from[0] = 0
    let i = 0
    let lineStart = 0
    if (count > 0) readGap(text, tokens, 0, 0, gap)
    while (i < count) {
      const first = i
      const draft = newDraft(gap.after)
      const last = Math.min(count, first + SEGMENT_TOKENS_MAX)
      // The classes of the last REACH words, latest first.
      let near1 = 0
      let near2 = 0
      let near3 = 0
      let near4 = 0
      let near5 = 0
      do {
        const flags = allFlags[i] ?? 0
        const start = starts[i] ?? 0
        const end = ends[i] ?? 0
        if ((flags & (AFTER_ASSIGN | AFTER_NEWLINE)) !== 0) {
          if (
            i > first &&
            i - first <= PREFIX_TOKENS_MAX &&
            draft.prefix === 0 &&
            endsPrefix(text, tokens, i)
          )
            endPrefix(draft)
          if ((flags & AFTER_NEWLINE) !== 0) lineStart = start
        }
        const bits = classify(text, units, start, end, flags, i === first)
        if (bits !== 0) {
          draft.presence |= bits
          const pairing = bits & PAIRING
          const near = near1 | near2 | near3 | near4 | near5
          if (pairing !== 0 && near !== 0) pairUp(pairs, pairing, near)
          if ((bits & ACTS) !== 0) draft.acts++
        }
        if (draft.leading) lead(draft, bits, flags)
        if ((flags & (HAS_UPPER | HAS_LOWER | HAS_DIGIT)) === HAS_UPPER && end - start > 2) draft.capitals++
        if ((flags & HAS_INVISIBLE) !== 0) draft.marks |= INVISIBLE
        if ((flags & (AFTER_BRACKET | AFTER_ASSIGN | HAS_DOT)) !== 0) draft.joined++
        near5 = near4
        near4 = near3
        near3 = near2
        near2 = near1
        near1 = bits & PAIRING
        i++
        if (i === count) break
        gap.breaks = false
        gap.before = 0
        gap.after = 0
        if (((allFlags[i] ?? 0) & BREAKING) !== 0) readGap(text, tokens, i, lineStart, gap)
      } while (i < last && !gap.breaks)
      if (i === count) readTail(text, tokens, gap)
      draft.marks |= gap.before
      draft.words = i - first
      emit(outline, draft, pairs, starts[first] ?? 0, ends[i - 1] ?? 0, allFlags[first] ?? 0)
    }
    return outline
  }
}

const newDraft = (marks: number): Draft => ({
  presence: 0,
  lead: 0,
  prefix: 0,
  marks,
  skipped: 0,
  leading: true,
  capitals: 0,
  acts: 0,
  joined: 0,
  words: 0,
})

function endPrefix(draft: Draft): void {
  draft.prefix = draft.presence
  draft.marks |= PREFIXED
  draft.leading = true
  draft.lead = 0
  draft.skipped = 0
}

/** Records the segment's first word, after words that may come before the verb of a request. */
function lead(draft: Draft, bits: number, flags: number): void {
  if ((bits & BEFORE_VERB) !== 0 && (bits & ACTS) === 0 && draft.skipped < SKIPPED_MAX) draft.skipped++
  else if ((flags & HAS_LETTER) !== 0) {
    draft.lead = bits
    draft.leading = false
  }
}

function pairUp(pairs: Int32Array, bits: number, near: number): void {
  let rest = bits
  while (rest !== 0) {
    const c = 31 - Math.clz32(rest)
    pairs[c] = (pairs[c] ?? 0) | near
    rest &= ~(1 << c)
  }
}

function surfaceOf(draft: Draft, flags: number): number {
  const { presence, words } = draft
  let marks = draft.marks | lengthMark(words)
  if ((flags & STARTS_UPPER) === 0) marks |= STARTS_LOWER
  if (draft.acts > 1) marks |= draft.acts > 2 ? TWO_ACTS | THREE_ACTS : TWO_ACTS
  if (draft.joined * JOINED_SHARE >= words) marks |= CODED
  if (draft.capitals > 1) marks |= CAPITALS
  if (draft.capitals * 2 > words) marks |= MOSTLY_CAPITALS
  if ((presence & ACTS) === 0) return marks
  if ((draft.lead & ACTS) !== 0) {
    if ((presence & PLACE) !== 0) marks |= COMMAND_WITH_PLACE
    if ((presence & NUMBER) !== 0) marks |= COMMAND_WITH_NUMBER
    if ((presence & NARRATING) === 0) marks |= BARE_COMMAND
  }
  if ((presence & (PLACE | NUMBER)) !== 0) marks |= ACT_WITH_VALUE
  if ((presence & ME) !== 0 && (presence & ASSET) !== 0) marks |= MY_ASSETS
  return (presence & ORDER) === 0 ? marks : marks | LINKED
}

const EXCLAIMED = surfaceBit('exclaimed')
const ASKED = surfaceBit('asked')
const PREFIXED = surfaceBit('prefixed')
const INVISIBLE = surfaceBit('invisible')
/** A segment one of whose so many words is joined as in code. */
const JOINED_SHARE = 3
const CODED = surfaceBit('coded')
const STARTS_LOWER = surfaceBit('startsLower')
const TWO_ACTS = surfaceBit('twoActs')
const THREE_ACTS = surfaceBit('threeActs')
const CAPITALS = surfaceBit('capitals')
const MOSTLY_CAPITALS = surfaceBit('mostlyCapitals')
const COMMAND_WITH_PLACE = surfaceBit('commandWithPlace')
const COMMAND_WITH_NUMBER = surfaceBit('commandWithNumber')
const BARE_COMMAND = surfaceBit('bareCommand')
const ACT_WITH_VALUE = surfaceBit('actWithValue')
const MY_ASSETS = surfaceBit('myAssets')
const LINKED = surfaceBit('linked')

/** Length classes in words: up to 3, 7, 15, 30, more. */
const LENGTH_MARKS = ['length3', 'length7', 'length15', 'length30', 'longer'].map(surfaceBit)

const lengthMark = (words: number): number =>
  LENGTH_MARKS[words <= 3 ? 0 : words <= 7 ? 1 : words <= 15 ? 2 : words <= 30 ? 3 : 4] ?? 0

function classify(
  text: string,
  units: Uint16Array,
  start: number,
  end: number,
  flags: number,
  first: boolean,
): number {
  if (isPlain(flags) && (flags & HAS_DIGIT) === 0) {
    const length = end - start
    if (length <= WORD_UNITS_MAX) {
      const known = classesOfWord(units, start, end)
      if (known !== 0) return known
      const misspelt = length > 7 ? classesOfMisspelt(text, units, start, end) : 0
      if (misspelt !== 0) return misspelt
    }
    return !first && (flags & STARTS_UPPER) !== 0 ? NAME : 0
  }
  if ((flags & (IS_URL | HAS_AT)) !== 0)
    return (flags & HAS_DOT) !== 0 || (flags & IS_URL) !== 0 ? PLACE : NAME
  const length = end - start
  if ((flags & HAS_DIGIT) !== 0) {
    if ((flags & (HAS_SLASH | HAS_DOT)) !== 0 && (flags & HAS_LETTER) !== 0 && text.charCodeAt(start) > 57)
      return PLACE
    return length >= NUMBER_UNITS_MIN ? NUMBER : 0
  }
  if (length <= WORD_UNITS_MAX) {
    const from = text.charCodeAt(start) === 46 ? start + 1 : start
    const known = classesOf(hashOf(text, from, end))
    if (known !== 0) return known
    if (length > 7) {
      const misspelt = classesOfMisspelt(text, units, from, end)
      if (misspelt !== 0) return misspelt
    }
  }
  if ((flags & HAS_SLASH) !== 0) return PLACE
  if ((flags & HAS_DOT) !== 0 && start > 0 && text.charCodeAt(start) !== 46) return PLACE
  if ((flags & HAS_JOINER) !== 0) return hasUnderscore(text, start, end) ? IDENTIFIER : 0
  return !first && (flags & STARTS_UPPER) !== 0 ? NAME : 0
}

/** Checks the token only: searching the rest of the text would be quadratic. */
function hasUnderscore(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (text.charCodeAt(at) === 95) return true
  return false
}

/** Whether the gap before token `i` has a colon. */
function endsPrefix(text: string, tokens: Tokens, i: number): boolean {
  const to = tokens.start[i] ?? 0
  for (let at = tokens.end[i - 1] ?? 0; at < to; at++) if (text.charCodeAt(at) === COLON) return true
  return false
}

const COLON = 58
const TAIL_UNITS = 16

function readTail(text: string, tokens: Tokens, gap: Gap): void {
  gap.before = 0
  const from = tokens.end[tokens.count - 1] ?? 0
  const to = Math.min(text.length, from + TAIL_UNITS)
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at)
    if (code === 33) gap.before |= EXCLAIMED
    else if (code === 63) gap.before |= ASKED
  }
}

function emit(
  outline: Outline,
  draft: Draft,
  pairs: Int32Array,
  start: number,
  end: number,
  flags: number,
): void {
  const s = outline.count
  if (s + 2 > outline.start.length) growSegments(outline)
  let at = outline.from[s] ?? 0
  if (at + SEGMENT_FEATURES_MAX > outline.features.length) growFeatures(outline)
  const { features } = outline
  const { presence, lead } = draft
  const marks = surfaceOf(draft, flags)
  at = pushBits(features, at, PRESENCE, presence)
  at = pushBits(features, at, LEAD, lead)
  if (draft.prefix !== 0) at = pushBits(features, at, PREFIX, draft.prefix)
  if ((lead & ACTS) !== 0) at = pushBits(features, at, COMMANDED, presence)
  at = pushBits(features, at, SURFACE, marks)
  let rest = presence & PAIRING
  while (rest !== 0) {
    const c = 31 - Math.clz32(rest)
    at = pushBits(features, at, PAIR + c * 32, pairs[c] ?? 0)
    pairs[c] = 0
    rest &= ~(1 << c)
  }
  outline.start[s] = start
  outline.end[s] = end
  outline.presence[s] = presence
  outline.lead[s] = lead
  outline.marks[s] = marks
  outline.count = s + 1
  outline.from[s + 1] = at
}
