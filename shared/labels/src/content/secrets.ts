import {
  AFTER_ASSIGN,
  AFTER_BRACKET,
  HAS_AT,
  HAS_DIGIT,
  HAS_LETTER,
  HAS_WIDE,
  IS_PIECE,
  IS_URL,
} from '../text/characters.js'
import { isTrivialLogin, loginOf } from '../text/login.js'
import type { Tokens } from '../text/tokens.js'
import { patternOf, readTable, wordsIn, longPattern } from '../text/data.js'

/** A credential format of an issuer: prefix, class of characters, and length in characters. */
interface SecretFormat {
  readonly prefix: string
  readonly body: RegExp
  readonly bodyMin: number
  readonly bodyMax: number
}

/** From the issuers' documentation. Each body is one class of characters, so that a check is one pass. */
const SECRET_FORMATS: readonly SecretFormat[] = readTable<
  readonly { prefixes: string; body: string; length: readonly [number, number] }[]
>('text', 'secretFormats').flatMap(({ prefixes, body, length: [bodyMin, bodyMax] }) =>
  wordsIn(prefixes).map((prefix) => ({ prefix, body: new RegExp(body), bodyMin, bodyMax })),
)

/** Length of the shortest documented credential. */
export const SECRET_LENGTH_MIN = 18

/** Letters in each group of a program's own password for mail. */
export const APP_PASSWORD_GROUP = 4

const CODES = 128
const counts = new Uint16Array(CODES)

/** Shannon entropy of a word in bits per character; 0 if it is empty. All characters beyond ASCII count as one. */
export function entropyOf(word: string): number {
  if (word === '') return 0
  counts.fill(0)
  for (let i = 0; i < word.length; i++) {
    const code = Math.min(word.charCodeAt(i), CODES - 1)
    counts[code] = (counts[code] ?? 0) + 1
  }
  let bits = 0
  for (const count of counts) if (count > 0) bits -= (count / word.length) * Math.log2(count / word.length)
  return bits
}

/** `token`: in an issuer's format; `private`: PEM header of a private key; `login`: in a URL; `hash`: of a password; `assigned`: to a name for secrets. */
export type SecretKind = 'token' | 'private' | 'login' | 'hash' | 'assigned'

/** Bits per character above which a token is random. Placeholders such as `ghp_xxxxxxxx` are below. */
const DRAWN_ENTROPY_MIN = 3
/** Code units between the name and value of an assignment. */
const ASSIGN_UNITS_MAX = 6
const KEY_VALUE_LENGTH_MIN = 16
const PASSWORD_LENGTH_MIN = 6
const HASH_LENGTH_MIN = 22

/** Required flags of an assigned value, besides letters. */
const ASSIGNABLE = AFTER_ASSIGN | HAS_DIGIT
const DOLLAR = 36
/** After a value it makes the value a function call. */
const OPENING = 40
const DASH = 45
const FIRST_WIDE = 128
const FIRST_LETTERS = formatsByFirstLetter()

/** The kind of secret that begins with token `index`; undefined if there is none. Reads only nearby tokens. */
export function secretAt(text: string, tokens: Tokens, index: number): SecretKind | undefined {
  const start = tokens.start[index] ?? 0
  const end = tokens.end[index] ?? 0
  const flags = tokens.flags[index] ?? 0
  if ((flags & IS_PIECE) !== 0) return undefined
  if ((flags & IS_URL) !== 0 && (flags & HAS_AT) !== 0 && hasLogin(text.slice(start, end))) return 'login'
  if (end - start >= SECRET_LENGTH_MIN && isIssued(text, start, end, tokens.units)) return 'token'
  if (isArmour(text, tokens, index)) return 'private'
  if (isPasswordHash(text, tokens, index)) return 'hash'
  if (
    (flags & ASSIGNABLE) === AFTER_ASSIGN &&
    end - start === APP_PASSWORD_GROUP &&
    isAppPassword(text, tokens, index)
  )
    return 'assigned'
  if (isBasicLogin(text, tokens, index)) return 'login'
  if ((flags & ASSIGNABLE) !== ASSIGNABLE || (flags & HAS_LETTER) === 0) return undefined
  return isAssigned(text, tokens, index) ? 'assigned' : undefined
}

function isIssued(text: string, start: number, end: number, units: Uint16Array): boolean {
  const formats = FIRST_LETTERS.get(units[start] ?? 0)
  if (formats === undefined) return false
  for (const { prefix, body, bodyMin, bodyMax } of formats) {
    const length = end - start - prefix.length
    if (length < bodyMin || length > bodyMax || !text.startsWith(prefix, start)) continue
    const rest = text.slice(start + prefix.length, end)
    if (body.test(rest) && entropyOf(rest) >= DRAWN_ENTROPY_MIN && (prefix !== 'eyJ' || isSigned(rest)))
      return true
  }
  return false
}

/** Three parts of a JSON Web Token. A long one is cut, so the third may be missing. */
const isSigned = (rest: string): boolean => /^[\w-]{8,}\.eyJ[\w-]{4,}/.test(rest)

/** Matches `scheme://name:password@host`, except placeholder passwords, example hosts and what is no secret on a developer's machine. */
function hasLogin(url: string): boolean {
  const login = loginOf(url)
  return (
    login !== undefined &&
    login.user !== '' &&
    !RESERVED_HOST.test(login.host) &&
    !isPlaceholderLogin(login.password) &&
    !isTrivialLogin(login)
  )
}

/** Example hosts: RFC 2606, and placeholder words. */
const RESERVED_HOST = longPattern('secrets.RESERVED_HOST')

const isPlaceholderLogin = (password: string): boolean => OF_FIELD.test(password) || isPlaceholder(password)

/** Matches `-----BEGIN … PRIVATE KEY`. */
function isArmour(text: string, { units, count, start, end }: Tokens, index: number): boolean {
  const from = start[index] ?? 0
  if (units[from] !== 66 || units[from - 1] !== DASH || units[from - 2] !== DASH) return false
  if (text.slice(from, end[index]) !== 'BEGIN') return false
  const last = Math.min(index + 4, count)
  for (let i = index + 1; i < last; i++)
    if (text.slice(start[i], end[i]) === 'PRIVATE' && text.slice(start[i + 1], end[i + 1]).startsWith('KEY'))
      return true
  return false
}

/** crypt(3) schemes in use for passwords. */
const SCHEMES = new Set(['1', '5', '6', 'y', '7', '2a', '2b', '2y'])

/** Matches `$6$salt$hash` and `$2b$12$hash`. */
function isPasswordHash(text: string, { units, count, start, end }: Tokens, index: number): boolean {
  const from = start[index] ?? 0
  const to = end[index] ?? 0
  if (to - from > 2 || units[from - 1] !== DOLLAR || units[to] !== DOLLAR) return false
  if (!SCHEMES.has(text.slice(from, to))) return false
  let next = index + 1
  let until = to
  while (next < count && next <= index + 3 && start[next] === until + 1 && units[until] === DOLLAR)
    until = end[next++] ?? 0
  return until - to >= HASH_LENGTH_MIN
}

const BASIC = 'basic'
const BASIC_LENGTH_MIN = 8

/** Matches `Authorization: Basic …`, name and password in base64 (RFC 7617). The length before excludes most words. */
function isBasicLogin(text: string, { start, end }: Tokens, index: number): boolean {
  const from = start[index] ?? 0
  const scheme = start[index - 1] ?? 0
  if (index < 2 || from - scheme !== BASIC.length + 1 || (end[index] ?? 0) - from < BASIC_LENGTH_MIN)
    return false
  return (
    text.slice(scheme, from - 1).toLowerCase() === BASIC &&
    text.slice(start[index - 2], end[index - 2]).toLowerCase() === 'authorization'
  )
}

/** Last letters of names for secrets; other names are skipped early. */
const NAME_ENDS = new Set(Array.from('adeklnsty', (letter) => letter.charCodeAt(0)))
export const PASSWORD_NAME = patternOf(readTable('text', 'passwordName'))
export const KEY_NAME = longPattern('secrets.KEY_NAME')
/** Similar names without secrets: pages, counters, public values, CSRF tokens. */
const HARMLESS_NAME = longPattern('secrets.HARMLESS_NAME')

function isAssigned(text: string, { units, start, end, flags }: Tokens, index: number): boolean {
  if (index === 0 || ((flags[index] ?? 0) & AFTER_BRACKET) !== 0) return false
  const from = start[index] ?? 0
  const to = end[index] ?? 0
  const nameEnd = end[index - 1] ?? 0
  if (from - nameEnd > ASSIGN_UNITS_MAX || to - from < PASSWORD_LENGTH_MIN) return false
  const last = units[nameEnd - 1] ?? 0
  if (last < FIRST_WIDE && !NAME_ENDS.has(last | 32)) return false
  if (units[to] === OPENING || ((flags[index] ?? 0) & HAS_WIDE) !== 0) return false
  const name = text.slice(start[index - 1], nameEnd).toLowerCase()
  const value = text.slice(from, to)
  if (PASSWORD_NAME.test(name)) return !isPlaceholder(value)
  if (to - from < KEY_VALUE_LENGTH_MIN || !KEY_NAME.test(name) || HARMLESS_NAME.test(name)) return false
  return entropyOf(value) >= DRAWN_ENTROPY_MIN && !isPlaceholder(value)
}

/** Four groups of four letters, as mail services give a program its own password. */
const APP_PASSWORD = longPattern('secrets.APP_PASSWORD')

function isAppPassword(text: string, { start, end }: Tokens, index: number): boolean {
  if (index === 0) return false
  APP_PASSWORD.lastIndex = start[index] ?? 0
  return (
    PASSWORD_NAME.test(text.slice(start[index - 1], end[index - 1]).toLowerCase()) && APP_PASSWORD.test(text)
  )
}

export const isPlaceholder = (value: string): boolean => PLACEHOLDER.test(value)

function formatsByFirstLetter(): ReadonlyMap<number, readonly SecretFormat[]> {
  const byLetter = new Map<number, SecretFormat[]>()
  for (const format of SECRET_FORMATS) {
    const first = format.prefix.charCodeAt(0)
    byLetter.set(first, [...(byLetter.get(first) ?? []), format])
  }
  return byLetter
}

const PLACEHOLDER = longPattern('secrets.PLACEHOLDER')

const OF_FIELD = longPattern('secrets.OF_FIELD')
