import { longPattern } from '../../text/data.js'
import { HAS_DIGIT, IS_URL } from '../../text/characters.js'
import type { Tokens } from '../../text/tokens.js'
import type { HiddenStarts } from '../values/parts.js'
import { isDigit, isLower, isUpper } from '../values/places.js'

/** Longest run without a space that is read, in code units. */
const UNITS_MAX = 4_096
/** Limit of joined values per text. */
const SCATTERED_MAX = 32
const SOLID_MIN = 5
const SOLID_MAX = 40
/** A part of a value is a number, or one or two letters. */
const NUMBER_UNITS_MAX = 8
const LETTERS_MAX = 2
/** Two numbers may be halves of one value; letters need three parts. */
const NUMBERS_MIN = 2
const PARTS_MIN = 3
/** A date with an optional time: long, but too common to be a value. */
const DAY = longPattern('scattered.DAY')

/**
 * Values spread over the parts of a URL, host, path or query: `7730` in `/7/7/3/0`, `?a=77&b=30` and `7.x.7.x.3.x.0.example.net`. Joins
 * neighbouring parts that are numbers or one or two letters, and the numbers alone. Linear in the text.
 *
 * @returns at most 32 values of 5 to 40 characters; undefined if there may be more
 */
export function scatteredValues(
  text: string,
  { start, end, flags, units }: Tokens,
  starts: HiddenStarts,
): ReadonlySet<string> | undefined {
  const values = new Set<string>()
  let done = 0
  for (let i = 0; i < starts.count; i++) {
    const at = starts.at[i] ?? 0
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

/** URLs and queries continue after characters that end a token. */
function endOfRun(units: Uint16Array, from: number, length: number): number {
  let at = from
  while (at < length && !isEnd(units[at] ?? 0)) at++
  return at
}

/** White space, quotation starts, `<`, `>`, `|` and backticks. */
const isEnd = (code: number): boolean =>
  code <= 32 || code === 34 || code === 39 || code === 60 || code === 62 || code === 124 || code === 96

/** The parts of the current run. */
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
      // The name of a query parameter is no part of its value.
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

/** Adds the collected parts joined, and their numbers alone. */
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
