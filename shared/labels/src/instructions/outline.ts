import type { Tokens } from '../text/tokens.js'
import {
  AFTER_NEWLINE,
  HAS_AT,
  HAS_DIGIT,
  HAS_DOT,
  HAS_JOINER,
  HAS_LETTER,
  HAS_LOWER,
  HAS_SLASH,
  HAS_UPPER,
  IS_URL,
  STARTS_UPPER,
} from '../text/characters.js'
import { bitOf } from './classes.js'
import {
  ACTS,
  BEFORE_VERB,
  COMMANDED,
  LEAD,
  MARK,
  PAIR,
  PREFIX,
  PRESENCE,
  REACH,
  markBit,
} from './features.js'
import { SEGMENT_TOKENS_MAX, isInvisible, isPrefixEnd, readGap, type Gap } from './segments.js'
import { classesOf, hashOf } from './words.js'

/** The segments of a text in order, and the features of each: those of segment `s` are `features[from[s] … from[s + 1])`. */
export interface Outline {
  count: number
  start: Int32Array
  end: Int32Array
  from: Int32Array
  features: Int32Array
  /** Classes of words in the segment. */
  presence: Int32Array
  /** Classes of the word that the segment begins with. */
  lead: Int32Array
  marks: Int32Array
}

/** Longest word that a list may have; anything longer is no word. */
const WORD_UNITS_MAX = 20
/** A run of digits, or of digits and capitals, from here on is a number that tells something. */
const NUMBER_UNITS_MIN = 6
const PREFIX_TOKENS_MAX = 4
const SKIPPED_MAX = 3
const WORDS_MAX = 64

const PLACE = bitOf('place')
const NUMBER = bitOf('number')
const NAME = bitOf('name')
const IDENTIFIER = bitOf('identifier')
const ME = bitOf('me')
const ASSET = bitOf('asset')
const NARRATING = bitOf('narrating')
const ORDER = bitOf('order')

/** Reads segments into buffers of its own, which the next text uses again. */
export function createOutliner(): (text: string, tokens: Tokens) => Outline {
  const outline = emptyOutline(512, 16_384)
  const gap: Gap = { breaks: false, before: 0, after: 0 }
  const recent = new Int32Array(WORDS_MAX)
  const pairs = new Int32Array(32)
  return (text, tokens) => {
    outline.count = 0
    outline.from[0] = 0
    let i = 0
    let lineStart = 0
    if (tokens.count > 0) readGap(text, tokens, 0, 0, gap)
    while (i < tokens.count) {
      const first = i
      let presence = 0
      let lead = 0
      let prefix = 0
      let marks = gap.after
      let skipped = 0
      let leading = true
      let capitals = 0
      let acts = 0
      let words = 0
      pairs.fill(0)
      const last = Math.min(tokens.count, first + SEGMENT_TOKENS_MAX)
      do {
        const flags = tokens.flags[i] ?? 0
        if (i > first) {
          if (
            isPrefixEnd(flags) &&
            i - first <= PREFIX_TOKENS_MAX &&
            prefix === 0 &&
            gapHas(text, tokens, i, 58)
          ) {
            prefix = presence
            marks |= PREFIXED
            leading = true
            lead = 0
            skipped = 0
          }
        }
        if ((flags & AFTER_NEWLINE) !== 0) lineStart = tokens.start[i] ?? 0
        if (isInvisible(flags)) marks |= INVISIBLE
        const bits = classify(text, tokens.start[i] ?? 0, tokens.end[i] ?? 0, flags, i === first)
        if (
          (flags & (HAS_UPPER | HAS_LOWER | HAS_DIGIT)) === HAS_UPPER &&
          (tokens.end[i] ?? 0) - (tokens.start[i] ?? 0) > 2
        )
          capitals++
        if (leading) {
          if ((bits & BEFORE_VERB) !== 0 && (bits & ACTS) === 0 && skipped < SKIPPED_MAX) skipped++
          else if ((flags & HAS_LETTER) !== 0) {
            lead = bits === 0 ? 0 : bits
            leading = false
          }
        }
        if ((bits & ACTS) !== 0) acts++
        presence |= bits
        const back = Math.min(words, REACH)
        let near = 0
        for (let k = 1; k <= back; k++) near |= recent[(words - k) & (WORDS_MAX - 1)] ?? 0
        let rest = near === 0 ? 0 : bits
        while (rest !== 0) {
          const c = 31 - Math.clz32(rest)
          pairs[c] = (pairs[c] ?? 0) | near
          rest &= ~(1 << c)
        }
        recent[words & (WORDS_MAX - 1)] = bits
        words++
        i++
        if (i < tokens.count) readGap(text, tokens, i, lineStart, gap)
      } while (i < last && !gap.breaks)
      if (i === tokens.count) readTail(text, tokens, gap)
      marks |= gap.before
      if ((tokens.flags[first] ?? 0) & STARTS_UPPER) marks |= 0
      else marks |= STARTS_LOWER
      marks |= lengthMark(words)
      if (acts > 1) marks |= TWO_ACTS
      if (acts > 2) marks |= THREE_ACTS
      if (capitals > 1) marks |= CAPITALS
      if (capitals * 2 > words) marks |= MOSTLY_CAPITALS
      if (lead & ACTS) {
        if (presence & PLACE) marks |= COMMAND_WITH_PLACE
        if (presence & NUMBER) marks |= COMMAND_WITH_NUMBER
        if (!(presence & NARRATING)) marks |= BARE_COMMAND
      }
      if (presence & ACTS && presence & (PLACE | NUMBER)) marks |= ACT_WITH_VALUE
      if (presence & ME && presence & ASSET && presence & ACTS) marks |= MY_ASSETS
      if (presence & ORDER && presence & ACTS) marks |= LINKED
      emit(outline, tokens.start[first] ?? 0, tokens.end[i - 1] ?? 0, presence, lead, prefix, marks, pairs)
    }
    return outline
  }
}

const PREFIXED = markBit('prefixed')
const INVISIBLE = markBit('invisible')
const STARTS_LOWER = markBit('startsLower')
const TWO_ACTS = markBit('twoActs')
const THREE_ACTS = markBit('threeActs')
const CAPITALS = markBit('capitals')
const MOSTLY_CAPITALS = markBit('mostlyCapitals')
const COMMAND_WITH_PLACE = markBit('commandWithPlace')
const COMMAND_WITH_NUMBER = markBit('commandWithNumber')
const BARE_COMMAND = markBit('bareCommand')
const ACT_WITH_VALUE = markBit('actWithValue')
const MY_ASSETS = markBit('myAssets')
const LINKED = markBit('linked')

function lengthMark(words: number): number {
  if (words <= 3) return markBit('length3')
  if (words <= 7) return markBit('length7')
  if (words <= 15) return markBit('length15')
  return words <= 30 ? markBit('length30') : markBit('longer')
}

function classify(text: string, start: number, end: number, flags: number, first: boolean): number {
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
  }
  if ((flags & HAS_SLASH) !== 0) return PLACE
  if ((flags & HAS_DOT) !== 0 && start > 0 && text.charCodeAt(start) !== 46) return PLACE
  if ((flags & HAS_JOINER) !== 0) return hasUnderscore(text, start, end) ? IDENTIFIER : 0
  return !first && (flags & STARTS_UPPER) !== 0 ? NAME : 0
}

/** Looks at the token alone: a search through the text would cost more the longer that is. */
function hasUnderscore(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (text.charCodeAt(at) === 95) return true
  return false
}

/** Whether the gap before token `i` has the character. */
function gapHas(text: string, tokens: Tokens, i: number, code: number): boolean {
  const to = tokens.start[i] ?? 0
  for (let at = tokens.end[i - 1] ?? 0; at < to; at++) if (text.charCodeAt(at) === code) return true
  return false
}

const TAIL_UNITS = 16

function readTail(text: string, tokens: Tokens, gap: Gap): void {
  gap.before = 0
  const from = tokens.end[tokens.count - 1] ?? 0
  const to = Math.min(text.length, from + TAIL_UNITS)
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at)
    if (code === 33) gap.before |= markBit('exclaimed')
    else if (code === 63) gap.before |= markBit('asked')
  }
}

function emit(
  outline: Outline,
  start: number,
  end: number,
  presence: number,
  lead: number,
  prefix: number,
  marks: number,
  pairs: Int32Array,
): void {
  const s = outline.count
  if (s + 2 > outline.start.length) growSegments(outline)
  let at = outline.from[s] ?? 0
  if (at + 1_400 > outline.features.length) growFeatures(outline)
  const { features } = outline
  at = push(features, at, PRESENCE, presence)
  at = push(features, at, LEAD, lead)
  at = push(features, at, PREFIX, prefix)
  if ((lead & ACTS) !== 0) at = push(features, at, COMMANDED, presence)
  at = push(features, at, MARK, marks)
  let rest = presence
  while (rest !== 0) {
    const c = 31 - Math.clz32(rest)
    at = push(features, at, PAIR + c * 32, pairs[c] ?? 0)
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

function push(features: Int32Array, at: number, base: number, mask: number): number {
  while (mask !== 0) {
    const bit = 31 - Math.clz32(mask)
    features[at++] = base + bit
    mask &= ~(1 << bit)
  }
  return at
}

const emptyOutline = (segments: number, features: number): Outline => ({
  count: 0,
  start: new Int32Array(segments),
  end: new Int32Array(segments),
  from: new Int32Array(segments),
  features: new Int32Array(features),
  presence: new Int32Array(segments),
  lead: new Int32Array(segments),
  marks: new Int32Array(segments),
})

function growSegments(outline: Outline): void {
  for (const key of ['start', 'end', 'from', 'presence', 'lead', 'marks'] as const)
    outline[key] = doubled(outline[key])
}

function growFeatures(outline: Outline): void {
  outline.features = doubled(outline.features)
}

function doubled(array: Int32Array): Int32Array {
  const larger = new Int32Array(array.length * 2)
  larger.set(array)
  return larger
}
