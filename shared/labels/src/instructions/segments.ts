import type { Tokens } from '../text/tokens.js'
import {
  AFTER_BRACKET,
  AFTER_NEWLINE,
  AFTER_QUOTE,
  AFTER_SENTENCE,
  HAS_WIDE,
  STARTS_UPPER,
} from '../text/characters.js'
import { surfaceBit } from './features.js'

/** Most tokens of one segment; a longer sentence continues in the next. */
export const SEGMENT_TOKENS_MAX = 60
/** A line of this length was wrapped, so its sentence continues. */
const WRAPPED_UNITS = 60

const BREAKING = AFTER_SENTENCE | AFTER_NEWLINE | AFTER_BRACKET | AFTER_QUOTE

const TAGGED = surfaceBit('tagged')
const RULED = surfaceBit('ruled')
const BRACKETED = surfaceBit('bracketed')
const COMMENTED = surfaceBit('commented')
const BULLETED = surfaceBit('bulleted')
const EXCLAIMED = surfaceBit('exclaimed')
const SHOUTED = surfaceBit('shouted')
const ASKED = surfaceBit('asked')
const ANNOUNCING = surfaceBit('announcing')

/** The gap between two tokens: whether a segment ends in it, and the marks of the tokens before and after. */
export interface Gap {
  breaks: boolean
  before: number
  after: number
}

/**
 * Reads the gap before token `i` in one pass. Sentences end at a full stop, fields at their quotes, lines at their end unless wrapped or
 * folded (as in YAML). A tag is a segment of its own.
 */
export function readGap(text: string, tokens: Tokens, i: number, lineStart: number, gap: Gap): void {
  const flags = tokens.flags[i] ?? 0
  const from = i === 0 ? 0 : (tokens.end[i - 1] ?? 0)
  const to = tokens.start[i] ?? 0
  gap.breaks = i === 0
  gap.before = 0
  gap.after = 0
  const glued = i > 0 && text.charCodeAt(to) === 46 && to > 0 && text.charCodeAt(to - 1) > 32
  if ((flags & BREAKING) === 0 && !glued) return
  scanGap(text, from, to, gap)
  if (glued) gap.breaks = true
  if ((flags & AFTER_SENTENCE) !== 0 && (flags & (STARTS_UPPER | HAS_WIDE)) !== 0) gap.breaks = true
  if (!gap.breaks && newlines > 0) gap.breaks = !continues(text, tokens, i, from - lineStart, flags)
}

let newlines = 0

/** Counts the characters of the gap. Sets `newlines` as a second result, to avoid an object. */
function scanGap(text: string, from: number, to: number, gap: Gap): void {
  let quotes = 0
  let separators = 0
  let escaped = 0
  let run = 0
  let last = 0
  let folded = false
  newlines = 0
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at)
    run = code === last ? run + 1 : 1
    last = code
    switch (code) {
      case 10:
        if (at > from && text.charCodeAt(at - 1) === 92) folded = true
        newlines++
        if ((gap.before & ANNOUNCING) === 0) gap.after = 0
        break
      case 33:
        gap.before |= run > 1 ? EXCLAIMED | SHOUTED : EXCLAIMED
        break
      case 63:
        gap.before |= ASKED
        break
      case 58:
        if (separators === 0) gap.before |= ANNOUNCING
        separators++
        break
      case 44:
      case 59:
        separators++
        break
      case 34:
      case 39:
        quotes++
        break
      case 60:
      case 62:
        gap.after |= TAGGED
        gap.breaks = true
        break
      case 91:
      case 123:
        gap.after |= BRACKETED
        separators++
        break
      case 35:
      case 42:
      case 61:
      case 45:
      case 95:
      case 126:
      case 124:
        if (run >= 3) {
          gap.after |= RULED
          gap.breaks = true
        } else if (newlines > 0 || from === 0) gap.after |= code === 35 ? COMMENTED : BULLETED
        break
      case 47:
        if (run === 2 || text.charCodeAt(at + 1) === 42) gap.after |= COMMENTED
        break
      case 92:
        if (text.charCodeAt(at + 1) === 110) escaped++
        break
      default:
    }
  }
  if (escaped > 0 || newlines - (folded ? 1 : 0) > 1) gap.breaks = true
  if (quotes > 1 && separators > 0 && text.charCodeAt(from) !== 32) gap.breaks = true
  if (folded && newlines === 1) newlines = 0
}

/** Whether a line that ended without a full stop continues in the next one. */
function continues(text: string, tokens: Tokens, i: number, length: number, flags: number): boolean {
  const end = tokens.end[i] ?? 0
  if (text.charCodeAt(end) === 58) return false
  const start = tokens.start[i] ?? 0
  const before = text.charCodeAt(start - 2)
  if (text.charCodeAt(start - 1) === 32 && (before === 45 || before === 42)) return false
  return (flags & STARTS_UPPER) === 0 ? length >= WRAPPED_UNITS / 2 : length >= WRAPPED_UNITS
}
