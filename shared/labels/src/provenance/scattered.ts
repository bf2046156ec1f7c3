import { HAS_DIGIT, IS_URL } from '../text/characters.js'
import type { Tokens } from '../text/tokens.js'
import type { Marks } from './marks.js'

/** Units without a space that are looked at as one. */
const UNITS_MAX = 4_096
/** Values put together of one text. */
const SCATTERED_MAX = 32
const SOLID_MIN = 5
/** A run no longer than this holds no value in parts. */
const ALONE_UNITS_MAX = SOLID_MIN
const SOLID_MAX = 40
/** Signs between the parts of a run, and in a query the name before a value. */
const BETWEEN = /(?:[/?&;=:,.+_#~@-]|%2[0-9a-f]|%3[a-f]|%40)+(?:[a-z][\w.-]{0,31}=)?/gi
/** A day, with a time behind it or not: as common as it is long. */
const DAY =
  /^(?:(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:\d{2}){0,3}|(?:0[1-9]|[12]\d|3[01]){2}(?:19|20)\d\d)$/
const PIECE = /^(?:\d{1,8}|[a-z]{1,2})$/i

/**
 * What the parts of a URL, a host, a path or a query spell out together: `7730` of `/7/7/3/0`, of `?a=77&b=30` and of `7.x.7.x.3.x.0.example.net`.
 * Neighbouring parts that are numbers or one or two letters are put together, and their digits alone. Time linear in the text.
 *
 * @returns at most 32 values of 5 to 40 characters; undefined where there may be more
 */
export function scatteredValues(
  text: string,
  { start, end, flags }: Tokens,
  marks: Marks,
): ReadonlySet<string> | undefined {
  const values = new Set<string>()
  let done = 0
  for (let i = 0; i < marks.count; i++) {
    const at = marks.at[i] ?? 0
    const from = start[at] ?? 0
    if (from < done || ((flags[at] ?? 0) & (HAS_DIGIT | IS_URL)) === 0) continue
    const to = endOfRun(text, end[at] ?? 0)
    if (to - from <= ALONE_UNITS_MAX) continue
    if (to - from > UNITS_MAX) return undefined
    done = to
    addScattered(text.slice(from, to), values)
    if (values.size > SCATTERED_MAX) return undefined
  }
  return values
}

/** A URL and a query go on behind signs at which a token ends. */
function endOfRun(text: string, from: number): number {
  END.lastIndex = from
  return END.exec(text)?.index ?? text.length
}

const END = /[\s"'<>|`]/g

function addScattered(written: string, values: Set<string>): void {
  let run: string[] = []
  for (const part of [...written.split(BETWEEN), '']) {
    if (PIECE.test(part)) run.push(part)
    else {
      addRun(run, values)
      run = []
    }
  }
}

/** Two numbers may be one that was cut, letters only three parts of one. */
function addRun(run: readonly string[], values: Set<string>): void {
  const digits = run.filter((part) => /^\d/.test(part))
  for (const parts of [run, digits]) {
    const value = parts.join('')
    const isLong = value.length >= SOLID_MIN && value.length <= SOLID_MAX
    if (isLong && !DAY.test(value) && parts.length >= (parts === digits ? 2 : 3)) values.add(value)
  }
}
