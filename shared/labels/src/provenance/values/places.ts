import { CHARACTERS, HAS_DOT, HAS_LETTER } from '../../text/characters.js'
import { type Candidates, TIERS } from './candidates.js'
import { readSet } from '../../text/data.js'

/** ASCII letters and digits. */
export const isDigit = (code: number): boolean => code >= 48 && code <= 57
export const isUpper = (code: number): boolean => code >= 65 && code <= 90
export const isLower = (code: number): boolean => code >= 97 && code <= 122

/** Digits and ASCII letters among code units. Units, here and below: reading a text would cost several times as much. */
export function countSolid(units: Uint16Array, start: number, end: number): number {
  let count = 0
  for (let at = start; at < end; at++) count += solidOf(units[at] ?? 0)
  return count
}

/** 1 for a digit or ASCII letter, else 0. Without branches, which would be mispredicted at every other character. */
export function solidOf(code: number): number {
  const bits = CHARACTERS[code] ?? 0
  return (bits | (bits >> 1) | (bits >> 2)) & 1
}

/** 1 for a digit, else 0. */
export const digitOf = (code: number): number => ((CHARACTERS[code] ?? 0) >> 2) & 1

const SLASH = 47
const DOT = 46
const COLON = 58
const LOWER_W = 119
const AT_SIGN = 64
const HOST_ENDS = new Set([SLASH, COLON, 63, 35])

/** Adds a URL without scheme, user and `www.`, and its host alone. */
export function addUrl(units: Uint16Array, start: number, end: number, found: Candidates): void {
  let from = start
  for (let at = start; at + 2 < end && at < start + 12; at++)
    if ((units[at] ?? 0) === COLON && (units[at + 1] ?? 0) === SLASH && (units[at + 2] ?? 0) === SLASH) {
      from = at + 3
      break
    }
  addHostAndPath(units, from, end, found)
}

function addHostAndPath(units: Uint16Array, start: number, end: number, found: Candidates): void {
  const first = afterLogin(units, start, end)
  const from = afterWww(units, first, end)
  let hostEnd = from
  while (hostEnd < end && !HOST_ENDS.has(units[hostEnd] ?? 0)) hostEnd++
  found.add('u', TIERS.target, from, end)
  // Behind a login, a host of one word is a database of the same machine, and called as much else is.
  const isWord = first > start && !hasDot(units, from, hostEnd)
  if (hostEnd < end && !isWord) found.add('u', TIERS.target, from, hostEnd)
}

/** Where the host begins, behind the user and password of a URL. */
function afterLogin(units: Uint16Array, start: number, end: number): number {
  let from = start
  for (let at = start; at < end; at++) {
    const code = units[at] ?? 0
    if (code === AT_SIGN) from = at + 1
    else if (code !== COLON && HOST_ENDS.has(code)) break
  }
  return from
}

function afterWww(units: Uint16Array, start: number, end: number): number {
  if (end - start <= 4 || (units[start + 3] ?? 0) !== DOT) return start
  for (let at = start; at < start + 3; at++) if (((units[at] ?? 0) | 32) !== LOWER_W) return start
  return start + 4
}

/** Adds an e-mail address, `user@host`, or a handle. */
export function addAddress(start: number, end: number, found: Candidates): void {
  found.add('a', TIERS.target, start, end)
}

/** Adds a path and its last part; `host.name/…` is a URL without scheme. Fractions and `and/or` are skipped. */
export function addPath(
  units: Uint16Array,
  start: number,
  end: number,
  bits: number,
  found: Candidates,
): void {
  if ((bits & HAS_LETTER) === 0) return found.add('i', TIERS.weak, start, end)
  let first = start
  while (first < end && units[first] !== SLASH) first++
  if ((bits & HAS_DOT) !== 0 && first > start && isHost(units, start, first))
    return addHostAndPath(units, start, end, found)
  const last = lastSlash(units, start, end)
  if (last === start || first !== last || (bits & HAS_DOT) !== 0 || first === start) {
    found.add('p', TIERS.id, start, end)
    if (last > start && last + 1 < end) found.add('p', TIERS.weak, last + 1, end)
  }
}

function lastSlash(units: Uint16Array, start: number, end: number): number {
  for (let at = end - 1; at > start; at--) if ((units[at] ?? 0) === SLASH) return at
  return start
}

/** Adds a host or file name. Abbreviations and sentences without a space between them are skipped. */
export function addDotted(units: Uint16Array, start: number, end: number, found: Candidates): void {
  if (end - start < 4) return
  const dot = lastDot(units, start, end)
  const isFile = end - dot <= 9 && FILE_ENDINGS.has(lowered(units, dot + 1, end))
  if (isFile) found.add('p', TIERS.id, start, end)
  else if (isHost(units, start, end)) found.add('u', TIERS.target, afterWww(units, start, end), end)
}

/** Whether `text[start…end)` ends in a dot and a top-level domain, all lower case or all upper case. */
function isHost(units: Uint16Array, start: number, end: number): boolean {
  const dot = lastDot(units, start, end)
  const label = end - dot - 1
  if (dot <= start || label < 2 || label > 24 || dot - start < 2) return false
  const upper = isUpper(units[dot + 1] ?? 0)
  for (let at = dot + 1; at < end; at++) {
    const code = units[at] ?? 0
    if (upper ? !isUpper(code) : !isLower(code)) return false
  }
  return (units[start] ?? 0) !== DOT
}

/** The last dot of `[start, end)`; before it if there is none. */
function lastDot(units: Uint16Array, start: number, end: number): number {
  let at = end - 1
  while (at >= start && units[at] !== DOT) at--
  return at
}

const hasDot = (units: Uint16Array, start: number, end: number): boolean =>
  lastDot(units, start, end) >= start

/** A short text in lower case. */
function lowered(units: Uint16Array, start: number, end: number): string {
  let text = ''
  for (let at = start; at < end; at++) {
    const code = units[at] ?? 0
    if (code >= 128) return String.fromCharCode(...units.subarray(start, end)).toLowerCase()
    text += String.fromCharCode(isUpper(code) ? code | 32 : code)
  }
  return text
}

const FILE_ENDINGS = readSet('text', 'fileEndings')
