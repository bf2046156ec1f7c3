import { HAS_LETTER } from '../../text/characters.js'
import type { Tokens } from '../../text/tokens.js'
import { countSolid, isDigit, isLower, isUpper } from './places.js'

/** Groups of one number: `DE89 3704 0044 0532 0130 00` has six. */
const GROUPS_MAX = 9
const IBAN_UNITS_MIN = 14
const IBAN_UNITS_MAX = 34

/** The last token of the IBAN that begins with token `at`; -1 if none does. */
export function ibanEnd(tokens: Tokens, at: number, to: number): number {
  const { units } = tokens
  const start = tokens.start[at] ?? 0
  const end = tokens.end[at] ?? 0
  if (!isIbanHead(units, start, end)) return -1
  const last = end - start === 4 ? lastGroupOfFour(tokens, at, to) : at
  const size = countSolid(units, start, tokens.end[last] ?? end)
  return size >= IBAN_UNITS_MIN && size <= IBAN_UNITS_MAX ? last : -1
}

/** Two letters and two digits. */
function isIbanHead(units: Uint16Array, start: number, end: number): boolean {
  if (end - start < 4) return false
  for (let at = start; at < start + 2; at++) {
    const code = units[at] ?? 0
    if (!isUpper(code) && !isLower(code)) return false
  }
  return isDigit(units[start + 2] ?? 0) && isDigit(units[start + 3] ?? 0)
}

/** Groups of an IBAN have four characters; only the last is shorter. */
function lastGroupOfFour(tokens: Tokens, at: number, to: number): number {
  const { units } = tokens
  let last = at
  while (last + 1 < to && last - at < GROUPS_MAX) {
    const [end, next] = [tokens.end[last] ?? 0, tokens.start[last + 1] ?? 0]
    const after = tokens.end[last + 1] ?? 0
    if (next - end !== 1 || after - next > 4 || !isIbanGroup(units, next, after)) break
    last++
    if (after - next < 4) break
  }
  return last
}

/** One to four digits or capitals. */
function isIbanGroup(units: Uint16Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (!isDigit(units[at] ?? 0) && !isUpper(units[at] ?? 0)) return false
  return end > start && end - start <= 4
}

const COMMA = 44
const PLUS = 43
const OPEN = 40
const ZERO = 48

/**
 * The last token of the grouped number that begins with token `at`, and its letter: phone number (`a`) or card (`c`). An amount with thousands
 * separators has no letter. Other groups end with the first one.
 */
export function groupsEnd(
  tokens: Tokens,
  at: number,
  to: number,
): { readonly last: number; readonly letter?: 'a' | 'c' } {
  const start = tokens.start[at] ?? 0
  const thousands = lastGroup(tokens, at, to, true)
  if (thousands > at) return { last: thousands }
  const last = lastGroup(tokens, at, to, false)
  const end = tokens.end[last] ?? 0
  const letter = letterOf(tokens.units, start, end)
  return letter === undefined ? { last: at } : { last, letter }
}

function lastGroup(tokens: Tokens, at: number, to: number, thousands: boolean): number {
  const { units } = tokens
  let last = at
  while (last + 1 < to && last - at < GROUPS_MAX) {
    const end = tokens.end[last] ?? 0
    const next = tokens.start[last + 1] ?? 0
    if (next - end > 2 || ((tokens.flags[last + 1] ?? 0) & HAS_LETTER) !== 0) break
    const size = (tokens.end[last + 1] ?? 0) - next
    const isComma = next - end === 1 && (units[end] ?? 0) === COMMA
    if (thousands ? !isComma || size < 3 : size < 2 || !isGroupGap(units, end, next)) break
    last++
  }
  return last
}

/** Spaces, hyphens, dots and brackets. */
function isGroupGap(units: Uint16Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = units[at] ?? 0
    if (code !== 32 && code !== 45 && code !== 46 && code !== OPEN && code !== 41) return false
  }
  return true
}

function letterOf(units: Uint16Array, start: number, end: number): 'a' | 'c' | undefined {
  const first = units[start] ?? 0
  const sizes = groupSizes(units, start, end)
  const digits = countSolid(units, start, end)
  const isPhone = first === PLUS || (start > 0 && units[start - 1] === OPEN) || PHONE_SIZES.has(sizes)
  if (isPhone && digits >= 7 && digits <= 15) return 'a'
  if (sizes < 10) return undefined
  if (first === ZERO && digits >= 9 && digits <= 15) return 'a'
  return CARD_SIZES.has(sizes) ? 'c' : undefined
}

const PHONE_SIZES: ReadonlySet<number> = new Set([334, 1334])
const CARD_SIZES: ReadonlySet<number> = new Set([4444, 44444, 465, 44441, 44442, 44443])
const SIZE_MAX = 9

/** The number of digits in each group, one decimal digit each. A group of ten or more counts as nine, which no number above has. */
function groupSizes(units: Uint16Array, start: number, end: number): number {
  let sizes = 0
  let size = 0
  for (let at = start; at <= end; at++) {
    if (at < end && isDigit(units[at] ?? 0)) size++
    else if (size > 0) {
      sizes = sizes * 10 + Math.min(size, SIZE_MAX)
      size = 0
    }
  }
  return sizes
}
