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
    if ((tokens.end[at] ?? 0) - start < RUN_UNITS_MIN || start < done) continue
    const end = runEnd(text, start)
    done = end
    const run = text.slice(start, Math.min(end, start + 2 * DECODED_CHARS_MAX))
    if (!isSuspect(run)) continue
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

/** Words and paths are not: an encoded run mixes its characters more. */
function isSuspect(run: string): boolean {
  if (run.length < RUN_UNITS_MIN) return false
  const cases = Number(/[a-z]/.test(run)) + Number(/[A-Z]/.test(run)) + Number(/\d/.test(run))
  return cases >= 2 || /^\d+$/.test(run)
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
