import { longPattern } from '../../text/data.js'
import { KEY_NAME, PASSWORD_NAME, isPlaceholder } from '../../content/secrets.js'
import {
  AFTER_ASSIGN,
  HAS_AT,
  HAS_DOT,
  HAS_SLASH,
  HAS_UPPER,
  HAS_WIDE,
  IS_URL,
} from '../../text/characters.js'
import { isTrivialLogin, loginOf } from '../../text/login.js'
import type { Tokens } from '../../text/tokens.js'
import { type Candidates, TIERS } from './candidates.js'

/** Code units before a value that may hold its name. */
const NAME_UNITS_MAX = 80
/** `NAME=`, or `A_NAME: `: one word before a colon may be of a log. */
const SETTING = longPattern('settings.SETTING')
const PASSWORD_LENGTH_MIN = 8
const PASSWORD_LENGTH_MAX = 64
/** Passwords of one text. */
const PASSWORDS_MAX = 16

/** A word as anyone writes it, or a switch. */
const PLAIN = longPattern('settings.PLAIN')
const SHORT = /^[a-z]{1,7}$/
const PORT_NAME = /(?:^|_)PORT$/

/**
 * Passwords in a text of settings that consist of letters alone, or stand in the login of a URL: no value has their form. A word such as `required`
 * behind `password:` is none. Linear in the text.
 */
export function passwordsIn(text: string, { start, end, flags, count }: Tokens): readonly string[] {
  let found = NO_PASSWORDS
  for (let at = 0; at < count; at++) {
    const bits = flags[at] ?? 0
    if ((bits & (HAS_AT | AFTER_ASSIGN)) === 0) continue
    if (found.length >= PASSWORDS_MAX) break
    const from = start[at] ?? 0
    const to = end[at] ?? 0
    // A login without a user begins its own token: `redis://:password@host`.
    if ((bits & HAS_AT) !== 0 && ((bits & IS_URL) !== 0 || text.startsWith('://:', from - 4))) {
      const login = loginOf((bits & IS_URL) !== 0 ? text.slice(from, to) : `://:${text.slice(from, to)}`)
      if (login && isPassword(login.password) && !isTrivialLogin(login) && login.password !== login.user)
        found = withPassword(found, login.password)
    } else if (at > 0 && (bits & AFTER_ASSIGN) !== 0 && mayBeDrawn(to - from, bits)) {
      const value = text.slice(from, to)
      if (!isDrawn(value) || CALLED.has(text.charAt(to)) || isPlaceholder(value)) continue
      const name = text.slice(start[at - 1], end[at - 1]).toLowerCase()
      if (PASSWORD_NAME.test(name) || KEY_NAME.test(name)) found = withPassword(found, value)
    }
  }
  return found
}

const NO_PASSWORDS: readonly string[] = []
const withPassword = (found: readonly string[], password: string): readonly string[] =>
  found.includes(password) ? found : [...found, password]

/** Whether `isDrawn` may hold, by the token alone. */
const mayBeDrawn = (length: number, bits: number): boolean =>
  (bits & OF_PLACES) === 0 &&
  length <= PASSWORD_LENGTH_MAX &&
  (length >= PHRASE_MIN || (length >= PASSWORD_LENGTH_MIN && (bits & HAS_UPPER) !== 0))
/** Of tokens that no `PASSWORD` is. */
const OF_PLACES = HAS_AT | HAS_DOT | HAS_SLASH | HAS_WIDE

const isPassword = (value: string): boolean => value.length >= PASSWORD_LENGTH_MIN && !isPlaceholder(value)

const PASSWORD = /^[\w!#%&*+-]{8,64}$/
/** Whether no text has it as a word: capitals within, or the length of a phrase. */
const isDrawn = (value: string): boolean =>
  PASSWORD.test(value) && (value.length >= PHRASE_MIN || /[a-z\d][A-Z]/.test(value))
const PHRASE_MIN = 16
/** Behind a name in code. */
const CALLED: ReadonlySet<string> = new Set(['(', '.', '['])

/**
 * Drops values that are no secret alone: addresses of this machine, and of settings names of users and databases, ports, switches and plain words (`DB_USER=app`, `PORT=3000`). They
 * still count within a passage. A value of a name for secrets stays from eight letters on.
 */
export function dropPlainSettings(text: string, candidates: Candidates): void {
  candidates.keep(TIERS.weak, (from, to) => !isPlainSetting(text, from, to) && !isThisMachine(text, from, to))
  for (const tier of [TIERS.target, TIERS.id, TIERS.name] as const)
    candidates.keep(tier, (from, to) => !isThisMachine(text, from, to))
}

/** An address that every machine has for itself, with a port, and nothing more. */
const isThisMachine = (text: string, from: number, to: number): boolean =>
  to - from <= LOOPBACK_UNITS_MAX && BEGINS.includes(text.charAt(from)) && LOOPBACK.test(text.slice(from, to))
/** Most values begin otherwise, and are not cut out. */
const BEGINS = '10lL[:'
const LOOPBACK = longPattern('settings.LOOPBACK')
const LOOPBACK_UNITS_MAX = 15

const SPACE = 32
const QUOTE = 34
const APOSTROPHE = 39
const COLON = 58
const EQUALS = 61
const UNDERSCORE = 95

/** Whether what stands before a value may end `SETTING`: a capital, a digit or `_`, then `=` or `: `, and quotes around. */
function isBehindName(text: string, from: number): boolean {
  let at = from - 1
  if (isQuote(text.charCodeAt(at))) at--
  if (text.charCodeAt(at) === EQUALS) return isOfName(text.charCodeAt(at - 1))
  if (text.charCodeAt(at) !== SPACE || text.charCodeAt(at - 1) !== COLON) return false
  return isOfName(text.charCodeAt(isQuote(text.charCodeAt(at - 2)) ? at - 3 : at - 2))
}

const isQuote = (code: number): boolean => code === QUOTE || code === APOSTROPHE
const isOfName = (code: number): boolean =>
  (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === UNDERSCORE

function isPlainSetting(text: string, from: number, to: number): boolean {
  if (!isBehindName(text, from)) return false
  const [, before, above] = SETTING.exec(text.slice(Math.max(0, from - NAME_UNITS_MAX), from)) ?? []
  const name = before ?? above ?? ''
  if (name === '') return false
  const value = text.slice(from, to)
  if (/^\d+$/.test(value)) return PORT_NAME.test(name)
  const lower = name.toLowerCase()
  return PASSWORD_NAME.test(lower) || KEY_NAME.test(lower) ? SHORT.test(value) : PLAIN.test(value)
}
