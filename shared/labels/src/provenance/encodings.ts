import { HAS_AT, HAS_DIGIT, HAS_DOT, HAS_LOWER, HAS_UPPER, IS_URL } from '../text/characters.js'
import type { Tokens } from '../text/tokens.js'

/** Encoded runs of one text that are tried, and what is read of each and of all, characters. */
export const DECODE_TRIES_MAX = 16
export const DECODED_CHARS_MAX = 4_096
const RUN_UNITS_MIN = 12
/** A line of wrapped base64 is 64 or 76 long. */
const WRAPPED_LINE_MIN = 60

/**
 * What stands in base64, hexadecimal or percent-encoding in `text`: at most `DECODE_TRIES_MAX` runs are tried, and only what decodes to
 * readable text is given.
 */
export function decodedTexts(text: string, tokens: Tokens): string[] {
  const found: string[] = []
  const percent = decodePercent(text)
  if (percent !== undefined) found.push(percent)
  let tries = 0
  let done = 0
  for (let at = 0; at < tokens.count && tries < DECODE_TRIES_MAX; at++) {
    const start = tokens.start[at] ?? 0
    if ((tokens.end[at] ?? 0) - start < RUN_UNITS_MIN) continue
    if (start < done || !isMixed(tokens.flags[at] ?? 0) || !maybeReadable(text, start)) continue
    const end = runEnd(text, start)
    done = end
    const run = text.slice(start, Math.min(end, start + 2 * DECODED_CHARS_MAX))
    if (run.length < RUN_UNITS_MIN) continue
    tries++
    const decoded = decodeRun(run.replace(/\s/g, ''))
    if (decoded !== undefined) found.push(decoded)
  }
  return found
}

/** The end of the run of characters that base64 uses, over the line ends of wrapped base64. */
function runEnd(text: string, start: number): number {
  let line = start
  for (let at = start; at < text.length; at++) {
    if (isBase64(text.charCodeAt(at))) continue
    if (text.charCodeAt(at) === NEWLINE && at - line >= WRAPPED_LINE_MIN) {
      line = at + 1
      continue
    }
    return at
  }
  return text.length
}

const NEWLINE = 10

function isBase64(code: number): boolean {
  const isAlphanumeric =
    (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57)
  return isAlphanumeric || code === 43 || code === 47 || code === 45 || code === 95
}

/** Whether the run may hold text, by its first bytes: most of what looks encoded and is not ends here. */
function maybeReadable(text: string, start: number): boolean {
  const [a, b, c] = [sextet(text, start), sextet(text, start + 1), sextet(text, start + 2)]
  const bits = (a << 18) | (b << 12) | (c << 6) | sextet(text, start + 3)
  if (isReadable(bits >>> 16, (bits >>> 8) & 255) && isReadable((bits >>> 8) & 255, bits & 255)) return true
  for (let at = start; at < start + 8; at += 2) {
    const byte = hexByte(text, at)
    const isInside = at > start && byte >= 0x80 && byte < 0xc0
    if (byte < 0 || (!isInside && !isReadable(byte, hexByte(text, at + 2)))) return false
  }
  return true
}

/** Whether `byte` can stand in a text before `next`: ASCII that can be read, or the first byte of a longer character. */
function isReadable(byte: number, next: number): boolean {
  if (byte < 127) return byte >= 32 || byte === 9 || byte === 10 || byte === 13
  return next >= 0x80 && next < 0xc0
}

function hexByte(text: string, at: number): number {
  const [high, low] = [hexDigit(text.charCodeAt(at)), hexDigit(text.charCodeAt(at + 1))]
  return high < 0 || low < 0 ? -1 : high * 16 + low
}

function hexDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48
  const letter = (code | 32) - 87
  return letter >= 10 && letter <= 15 ? letter : -1
}

function sextet(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code >= 97) return code - 71
  if (code >= 65) return code === 95 ? 63 : code - 65
  if (code >= 48) return code + 4
  return code === 43 || code === 45 ? 62 : 63
}

/** Words are not: an encoded run mixes small letters, capitals and digits, or has digits alone. */
function isMixed(bits: number): boolean {
  if ((bits & (IS_URL | HAS_AT | HAS_DOT)) !== 0) return false
  if ((bits & HAS_DIGIT) !== 0) return true
  return (bits & HAS_LOWER) !== 0 && (bits & HAS_UPPER) !== 0
}

function decodeRun(run: string): string | undefined {
  if (run.length % 2 === 0 && /^[0-9a-f]+$/i.test(run)) {
    const text = readable(Buffer.from(run, 'hex'))
    if (text !== undefined) return text
  }
  return /^\d+$/.test(run) ? undefined : readable(Buffer.from(run, 'base64'))
}

/** As text, if it is UTF-8 that can be read, but for its last character. */
function readable(bytes: Buffer): string | undefined {
  const text = bytes.subarray(0, DECODED_CHARS_MAX).toString('utf8').replace(/�$/, '')
  if (text.length < 6) return undefined
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0xfffd || code === 127 || (code < 32 && code !== 9 && code !== 10 && code !== 13))
      return undefined
  }
  return text
}

/** With its percent-encoded characters decoded; undefined where it has none. */
function decodePercent(text: string): string | undefined {
  if (!text.includes('%')) return undefined
  const cut = text.slice(0, DECODED_CHARS_MAX)
  const decoded = cut.replace(/(?:%[0-9a-f]{2})+/gi, (run) =>
    Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'),
  )
  return decoded === cut ? undefined : decoded
}
