import { PlimsollError } from '@plimsoll/contracts'
import type { FastifyInstance } from 'fastify'

/** Nesting limit. Arguments of tools are a few levels deep, and digests recurse into them. */
export const JSON_DEPTH_MAX = 128

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const MINUS = 0x2d
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** Digits that a double always preserves. */
const SAFE_DIGITS = 15

/** Names found in an object; undefined for a list. */
type Names = Set<string> | undefined

/**
 * Throws if parsing `json` would change its meaning, so that what is judged might differ from what runs: for a duplicate name, a number
 * that a double cannot hold, or nesting beyond `JSON_DEPTH_MAX` (`schema_invalid`), and for bytes that are not UTF-8 (`not_json`). One
 * linear pass without recursion. Leaves syntax errors to `JSON.parse`.
 */
export function assertExact(json: Uint8Array): string {
  const text = decoded(json)
  const levels: Names[] = []
  /** Whether the next string is a name. */
  let isName = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) {
      const end = endOfText(text, i)
      if (isName) addName(levels.at(-1), text.slice(i, end + 1))
      isName = false
      i = end
    } else if (code === OPEN_OBJECT || code === OPEN_LIST) {
      if (levels.length >= JSON_DEPTH_MAX) throw refused(`more than ${JSON_DEPTH_MAX} levels deep`)
      isName = code === OPEN_OBJECT
      levels.push(isName ? new Set() : undefined)
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      levels.pop()
      isName = false
    } else if (code === COMMA) isName = levels.at(-1) !== undefined
    else if (code === MINUS || isDigit(code)) {
      const end = endOfNumber(text, i)
      assertHeld(text.slice(i, end))
      i = end - 1
    }
  }
  return text
}

function decoded(json: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(json)
  } catch {
    throw new PlimsollError('not_json', 'the message is not UTF-8')
  }
}

/** Index of the quote that ends the string that begins at `start`. */
function endOfText(text: string, start: number): number {
  let i = start + 1
  while (i < text.length && text.charCodeAt(i) !== QUOTE) i += text.charCodeAt(i) === BACKSLASH ? 2 : 1
  return i
}

function addName(names: Names, quoted: string): void {
  if (!names) return
  const name = quoted.includes('\\') ? nameIn(quoted) : quoted.slice(1, -1)
  if (names.has(name)) throw refused(`the name \`${shown(name)}\` twice in one object`)
  names.add(name)
}

function nameIn(quoted: string): string {
  try {
    return String(JSON.parse(quoted))
  } catch {
    return quoted
  }
}

function endOfNumber(text: string, start: number): number {
  let i = start + 1
  while (i < text.length && isOfNumber(text.charCodeAt(i))) i++
  return i
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

/** Digits, `.`, `e`, `E`, `+` and `-`. */
const isOfNumber = (code: number): boolean =>
  isDigit(code) || code === 0x2e || code === 0x65 || code === 0x45 || code === 0x2b || code === MINUS

/** Two different numbers must not become equal. */
function assertHeld(token: string): void {
  if (token.length <= SAFE_DIGITS && !/e/i.test(token)) return
  if (formOf(token) !== formOf(String(Number(token))))
    throw refused(`the number \`${shown(token)}\`, whose digits would be lost: send it as a string`)
}

/** Significant digits and power of ten: equal for equal numbers, however they are written. */
function formOf(token: string): string {
  const [, sign = '', whole = '', part = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(token) ?? []
  const digits = (whole + part).replace(/^0+/, '')
  if (digits === '') return whole === '' ? token : '0'
  const kept = withoutZerosAtEnd(digits)
  return `${sign}${kept}e${Number(power) - part.length + digits.length - kept.length}`
}

/** By hand: a regular expression for trailing zeros would be quadratic. */
function withoutZerosAtEnd(digits: string): string {
  let end = digits.length
  while (end > 0 && digits.charCodeAt(end - 1) === 0x30) end--
  return digits.slice(0, end)
}

const SHOWN_CHARS_MAX = 60

const shown = (text: string): string => {
  const line = text.replaceAll(/\p{Cc}/gu, ' ')
  return line.length > SHOWN_CHARS_MAX ? `${line.slice(0, SHOWN_CHARS_MAX)}…` : line
}

const refused = (what: string): PlimsollError =>
  new PlimsollError('schema_invalid', `the message has ${what}`)

/**
 * Parses bodies as JSON in UTF-8 and refuses those that `assertExact` refuses, and names that could change an object's prototype.
 */
export function readJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const text = textOf(body)
    if (text instanceof PlimsollError) return done(text)
    void parse(request, text, (error, value) =>
      error
        ? done(new PlimsollError('not_json', `the body is not JSON: ${error.message}`))
        : done(null, value),
    )
  })
}

function textOf(body: string | Buffer): string | PlimsollError {
  try {
    return assertExact(typeof body === 'string' ? Buffer.from(body) : body)
  } catch (error) {
    if (error instanceof PlimsollError) return error
    throw error
  }
}
