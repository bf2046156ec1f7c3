import { HAS_DIGIT, IS_URL } from '../text/characters.js'
import type { Tokens } from '../text/tokens.js'
import type { Marks } from './marks.js'
import { isDigit, isLower, isUpper } from './solid.js'

/** Units without a space that are looked at as one. */
const UNITS_MAX = 4_096
/** Values put together of one text. */
const SCATTERED_MAX = 32
const SOLID_MIN = 5
const SOLID_MAX = 40
/** A part of a value: a number, or a letter or two. */
const NUMBER_UNITS_MAX = 8
const LETTERS_MAX = 2
/** Two numbers may be one that was cut, letters only three parts of one. */
const NUMBERS_MIN = 2
const PARTS_MIN = 3
/** A day, with a time behind it or not: as common as it is long. */
const DAY =
  /^(?:(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:\d{2}){0,3}|(?:0[1-9]|[12]\d|3[01]){2}(?:19|20)\d\d)$/

/**
 * What the parts of a URL, a host, a path or a query spell out together: `7730` of `/7/7/3/0`, of `?a=77&b=30` and of `7.x.7.x.3.x.0.example.net`.
 * Neighbouring parts that are numbers or one or two letters are put together, and their numbers alone. Time linear in the text.
 *
 * @returns at most 32 values of 5 to 40 characters; undefined where there may be more
 */
export function scatteredValues(
  text: string,
  { start, end, flags, units }: Tokens,
  marks: Marks,
): ReadonlySet<string> | undefined {
  const values = new Set<string>()
  let done = 0
  for (let i = 0; i < marks.count; i++) {
    const at = marks.at[i] ?? 0
    const from = start[at] ?? 0
    if (from < done || ((flags[at] ?? 0) & (HAS_DIGIT | IS_URL)) === 0) continue
    done = endOfRun(units, end[at] ?? 0, text.length)
    if (done - from <= SOLID_MIN) continue
    if (done - from > UNITS_MAX) return undefined
    addScattered(text, units, from, done, values)
    if (values.size > SCATTERED_MAX) return undefined
  }
  return values
}

/** A URL and a query go on behind signs at which a token ends. */
function endOfRun(units: Uint16Array, from: number, length: number): number {
  let at = from
  while (at < length && !isEnd(units[at] ?? 0)) at++
  return at
}

/** White space, quotation marks, `<`, `>`, `|` and backticks. */
const isEnd = (code: number): boolean =>
  code <= 32 || code === 34 || code === 39 || code === 60 || code === 62 || code === 124 || code === 96

/** The parts of the run at hand. */
const parts = { from: new Int32Array(UNITS_MAX), to: new Int32Array(UNITS_MAX), count: 0 }

function addScattered(text: string, units: Uint16Array, from: number, to: number, values: Set<string>): void {
  parts.count = 0
  let at = from
  while (at < to) {
    if (units[at] === PERCENT) at += 3
    else if (!isSolid(units[at] ?? 0)) at++
    else {
      const first = at
      let digits = 0
      for (; at < to && isSolid(units[at] ?? 0); at++) if (isDigit(units[at] ?? 0)) digits++
      // The name of a value in a query is no part of it.
      if (units[at] === EQUALS && digits < at - first) continue
      if (isPart(at - first, digits)) keep(first, at)
      else flush(text, values)
    }
  }
  flush(text, values)
}

const PERCENT = 37
const EQUALS = 61
const isSolid = (code: number): boolean => isDigit(code) || isLower(code) || isUpper(code)
const isPart = (size: number, digits: number): boolean =>
  digits === size ? size <= NUMBER_UNITS_MAX : digits === 0 && size <= LETTERS_MAX

function keep(from: number, to: number): void {
  parts.from[parts.count] = from
  parts.to[parts.count] = to
  parts.count++
}

/** Adds the parts at hand as one, and their numbers alone. */
function flush(text: string, values: Set<string>): void {
  let [size, digits, numbers] = [0, 0, 0]
  for (let i = 0; i < parts.count; i++) {
    const [from, to] = [parts.from[i] ?? 0, parts.to[i] ?? 0]
    size += to - from
    if (!isDigit(text.charCodeAt(from))) continue
    digits += to - from
    numbers++
  }
  if (parts.count >= PARTS_MIN && isLong(size)) add(text, false, values)
  if (numbers >= NUMBERS_MIN && digits < size + (parts.count < PARTS_MIN ? 1 : 0) && isLong(digits))
    add(text, true, values)
  parts.count = 0
}

const isLong = (size: number): boolean => size >= SOLID_MIN && size <= SOLID_MAX

function add(text: string, numbersOnly: boolean, values: Set<string>): void {
  let value = ''
  for (let i = 0; i < parts.count; i++) {
    const from = parts.from[i] ?? 0
    if (!numbersOnly || isDigit(text.charCodeAt(from))) value += text.slice(from, parts.to[i])
  }
  if (!DAY.test(value)) values.add(value)
}
