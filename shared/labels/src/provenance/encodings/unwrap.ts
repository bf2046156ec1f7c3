import { foldCodePoint, mayFold } from '../../text/fold.js'
import { readTable } from '../../text/data.js'

/** The changed places of a rewritten text, with their surroundings. */
export interface Rewritten {
  /** Empty if nothing changes. */
  readonly text: string
  /** Whether so much changes that names and small numbers may be hidden too. */
  readonly isDense: boolean
}

/** Surroundings kept around a change, so that a value containing it stays whole. Cut at the end of a word. */
const AROUND_UNITS = 48
const EDGE_UNITS_MAX = 64
const DENSE_SHARE = 1 / 8

export const UNCHANGED: Rewritten = { text: '', isDense: false }

/** Rewrites the matches of `found`. Leaves out text far from any match, which was read in the original. Linear. */
export function rewriteAround(
  text: string,
  found: RegExp,
  rewrite: (match: RegExpExecArray) => string,
): Rewritten {
  let rewritten = ''
  let done = -1
  let changed = 0
  for (const match of text.matchAll(found)) {
    const put = rewrite(match)
    if (put === match[0]) continue
    rewritten += before(text, done, match.index) + put
    done = match.index + match[0].length
    changed += match[0].length
  }
  if (done < 0) return UNCHANGED
  rewritten += text.slice(done, edgeAfter(text, done + AROUND_UNITS))
  return { text: rewritten, isDense: changed >= DENSE_SHARE * rewritten.length }
}

/** The text between the last change and the next: all of it, or its ends. */
function before(text: string, done: number, at: number): string {
  if (done >= 0 && at - done <= 2 * AROUND_UNITS) return text.slice(done, at)
  const from = edgeBefore(text, at - AROUND_UNITS)
  if (done < 0) return text.slice(Math.max(0, from), at)
  const to = edgeAfter(text, done + AROUND_UNITS)
  return to >= from ? text.slice(done, at) : `${text.slice(done, to)}\n${text.slice(from, at)}`
}

function edgeBefore(text: string, at: number): number {
  let edge = at
  while (edge > 0 && at - edge < EDGE_UNITS_MAX && !isSpace(text.charCodeAt(edge - 1))) edge--
  return edge
}

function edgeAfter(text: string, at: number): number {
  let edge = at
  while (edge < text.length && edge - at < EDGE_UNITS_MAX && !isSpace(text.charCodeAt(edge))) edge++
  return edge
}

const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13)

/** Named entities that may be part of a value; others stand for symbols that are not compared. */
const NAMED = readTable<Readonly<Record<string, string>>>('text', 'namedEntities')

/** Escapes of characters, and invisible marks. A run of backslashes is one match of any length, so that none is read twice. */
const WRITTEN = new RegExp(
  [
    String.raw`\\+(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|U([0-9a-f]{8})|x\{?([0-9a-f]{2})\}?|([0-7]{3})|(["'\/]))?`,
    String.raw`&#x([0-9a-f]{1,6});?`,
    String.raw`&#(\d{1,7});?`,
    String.raw`&([a-z]{2,8});`,
    String.raw`((?:%[0-9a-f]{2})+)`,
    String.raw`((?:=[0-9a-f]{2}){3,})`,
    String.raw`\bU\+([0-9a-f]{4,6})(?: (?=U\+))?`,
    String.raw`<!--[^>]{0,200}-->`,
    String.raw`<\/?(?:a|abbr|b|big|bdi|bdo|code|del|em|font|i|ins|kbd|mark|s|small|span|strong|sub|sup|tt|u|wbr)(?: [^<>]{0,200})?\/?>`,
    '(?<=[0-9a-z])(?:\\*{1,6}|~{2,4}|`{1,2}|_{2,4})(?=[0-9a-z])',
    // Words of a query, as a form sends them.
    '(?<=[a-z]{2})\\+(?=[a-z]{2})',
  ].join('|'),
  'gi',
)

/** Characters that every escape contains, with what must stand beside them. Searching for them is cheap, and most texts have few. */
const SIGNS: readonly (readonly [sign: string, beside: RegExp])[] = [
  ['\\', /\\[uUx0-7"'/\\]/],
  ['&', /&[#a-z]/i],
  ['%', /%[0-9a-f]{2}/i],
  ['U+', /U\+[0-9a-f]/i],
  ['<', /<[!/a-z]/i],
  ['*', /[0-9a-z]\*{1,6}[0-9a-z]/i],
  ['~~', /[0-9a-z]~{2,4}[0-9a-z]/i],
  ['`', /[0-9a-z]`{1,2}[0-9a-z]/i],
  ['+', /[a-z]{2}\+[a-z]{2}/i],
  ['__', /[0-9a-z]_{2,4}[0-9a-z]/i],
]

function mayBeWritten(text: string): boolean {
  for (const [sign, beside] of SIGNS) if (text.includes(sign) && beside.test(text)) return true
  return mayBeQuoted(text)
}

/** Whether two signs stand with two characters between, as in `=C3=A9`. Texts with many signs have none of these, so no pattern reads them. */
function mayBeQuoted(text: string): boolean {
  for (let at = text.indexOf('='); at >= 0; at = text.indexOf('=', at + 1))
    if (text.charCodeAt(at + 3) === EQUALS && HEX.test(text.slice(at + 1, at + 3))) return true
  return false
}
const EQUALS = 61
const HEX = /^[0-9a-f]{2}$/i

/** Text with escapes or inline markup, as a reader, browser or parser sees it. */
export const unwrapText = (text: string): Rewritten =>
  mayBeWritten(text) ? rewriteAround(text, WRITTEN, unwrapped) : UNCHANGED

/** Text with look-alike characters replaced. */
export const foldText = (text: string): Rewritten =>
  mayFold(text) ? rewriteAround(text, /[^\0-\x7f]+/gu, ([each]) => folded(each)) : UNCHANGED

function folded(characters: string): string {
  let plain = ''
  for (const each of characters) plain += foldCodePoint(each.codePointAt(0) ?? 0)
  return plain
}

function unwrapped([match, ...groups]: readonly (string | undefined)[]): string {
  const [braced, four, eight, two, octal, sign, hexEntity, entity, name, percent, quoted, point] = groups
  const hex = braced ?? four ?? eight ?? two ?? hexEntity ?? point
  if (hex !== undefined) return characterOf(Number.parseInt(hex, 16))
  if (octal !== undefined) return characterOf(Number.parseInt(octal, 8))
  if (entity !== undefined) return characterOf(Number(entity))
  if (name !== undefined) return NAMED[name.toLowerCase()] ?? match ?? ''
  if (percent !== undefined) return bytesOf(percent.replaceAll('%', ''))
  if (quoted !== undefined) return bytesOf(quoted.replaceAll('=', ''))
  if (match === '+') return ' '
  // A backslash before a letter may be an escaped line end, which the tokeniser handles; others are dropped.
  return sign ?? (match?.startsWith('\\') ? '\\' : '')
}

const bytesOf = (hex: string): string => Buffer.from(hex, 'hex').toString('utf8')

const characterOf = (code: number): string => (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '')
