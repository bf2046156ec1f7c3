import { CHARACTERS, HAS_DOT, HAS_LETTER } from '../../text/characters.js'
import { type Candidates, TIERS } from './candidates.js'
import { readSet } from '../../text/data.js'

/** ASCII letters and digits. */
export const isDigit = (code: number): boolean => code >= 48 && code <= 57
export const isUpper = (code: number): boolean => code >= 65 && code <= 90
export const isLower = (code: number): boolean => code >= 97 && code <= 122

export function countSolid(text: string, start: number, end: number): number {
  let count = 0
  for (let at = start; at < end; at++) count += solidOf(text.charCodeAt(at))
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
export function addUrl(text: string, start: number, end: number, found: Candidates): void {
  let from = start
  for (let at = start; at + 2 < end && at < start + 12; at++)
    if (
      text.charCodeAt(at) === COLON &&
      text.charCodeAt(at + 1) === SLASH &&
      text.charCodeAt(at + 2) === SLASH
    ) {
      from = at + 3
      break
    }
  addHostAndPath(text, from, end, found)
}

function addHostAndPath(text: string, start: number, end: number, found: Candidates): void {
  const first = afterLogin(text, start, end)
  const from = afterWww(text, first, end)
  let hostEnd = from
  while (hostEnd < end && !HOST_ENDS.has(text.charCodeAt(hostEnd))) hostEnd++
  found.add('u', TIERS.target, from, end)
  // Behind a login, a host of one word is a database of the same machine, and called as much else is.
  const isWord = first > start && text.slice(from, hostEnd).indexOf('.') < 0
  if (hostEnd < end && !isWord) found.add('u', TIERS.target, from, hostEnd)
}

/** Where the host begins, behind the user and password of a URL. */
function afterLogin(text: string, start: number, end: number): number {
  let from = start
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code === AT_SIGN) from = at + 1
    else if (code !== COLON && HOST_ENDS.has(code)) break
  }
  return from
}

function afterWww(text: string, start: number, end: number): number {
  if (end - start <= 4 || text.charCodeAt(start + 3) !== DOT) return start
  for (let at = start; at < start + 3; at++) if ((text.charCodeAt(at) | 32) !== LOWER_W) return start
  return start + 4
}

/** Adds an e-mail address, `user@host`, or a handle. */
export function addAddress(start: number, end: number, found: Candidates): void {
  found.add('a', TIERS.target, start, end)
}

/** Adds a path and its last part; `host.name/…` is a URL without scheme. Fractions and `and/or` are skipped. */
export function addPath(text: string, start: number, end: number, bits: number, found: Candidates): void {
  if ((bits & HAS_LETTER) === 0) return found.add('i', TIERS.weak, start, end)
  const first = text.indexOf('/', start)
  if ((bits & HAS_DOT) !== 0 && first > start && isHost(text, start, first))
    return addHostAndPath(text, start, end, found)
  const last = lastSlash(text, start, end)
  if (last === start || first !== last || (bits & HAS_DOT) !== 0 || first === start) {
    found.add('p', TIERS.id, start, end)
    if (last > start && last + 1 < end) found.add('p', TIERS.weak, last + 1, end)
  }
}

function lastSlash(text: string, start: number, end: number): number {
  for (let at = end - 1; at > start; at--) if (text.charCodeAt(at) === SLASH) return at
  return start
}

/** Adds a host or file name. Abbreviations and sentences without a space between them are skipped. */
export function addDotted(text: string, start: number, end: number, found: Candidates): void {
  if (end - start < 4) return
  const dot = text.lastIndexOf('.', end - 1)
  const isFile = end - dot <= 9 && FILE_ENDINGS.has(text.slice(dot + 1, end).toLowerCase())
  if (isFile) found.add('p', TIERS.id, start, end)
  else if (isHost(text, start, end)) found.add('u', TIERS.target, afterWww(text, start, end), end)
}

/** Whether `text[start…end)` ends in a dot and a top-level domain, all lower case or all upper case. */
function isHost(text: string, start: number, end: number): boolean {
  const dot = text.lastIndexOf('.', end - 1)
  const label = end - dot - 1
  if (dot <= start || label < 2 || label > 24 || dot - start < 2) return false
  const upper = isUpper(text.charCodeAt(dot + 1))
  for (let at = dot + 1; at < end; at++) {
    const code = text.charCodeAt(at)
    if (upper ? !isUpper(code) : !isLower(code)) return false
  }
  return text.charCodeAt(start) !== DOT
}

const FILE_ENDINGS = readSet('text', 'fileEndings')
