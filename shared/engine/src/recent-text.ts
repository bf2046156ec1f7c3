import type { Recent } from './session.js'
import { VERDICTS } from './words.js'

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
/** Characters of one entry: two bits of verdict and 32 of hash, six bits each. */
const ENTRY = 6

/** Two digits for each value of twelve bits, and the value of each digit by its code: every record goes this way, both ways. */
const PAIRS = Array.from({ length: 64 * 64 }, (_, i) => DIGITS.charAt(i >>> 6) + DIGITS.charAt(i & 63))
const VALUES = new Uint8Array(128)
for (let value = 0; value < DIGITS.length; value++) VALUES[DIGITS.charCodeAt(value)] = value

/** The events heard last, six characters each: half of what their numbers take, and they are most of a record. */
export function encodeRecent(recent: readonly Recent[]): string {
  let text = ''
  for (const { hash, verdict } of recent)
    text +=
      pair(VERDICTS.indexOf(verdict) * 256 + (hash >>> 24)) + pair((hash >>> 12) & 4095) + pair(hash & 4095)
  return text
}

/** What `text` says, as far as it is made of whole entries; whoever needs to know encodes it again and compares. */
export function decodeRecent(text: string): Recent[] {
  const recent: Recent[] = []
  for (let at = 0; at + ENTRY <= text.length; at += ENTRY) {
    const high = twelveBits(text, at)
    const hash = ((high & 255) << 24) | (twelveBits(text, at + 2) << 12) | twelveBits(text, at + 4)
    recent.push({ hash: hash >>> 0, verdict: VERDICTS[high >>> 8] ?? 'block' })
  }
  return recent
}

const pair = (value: number): string => PAIRS[value] ?? ''

const twelveBits = (text: string, at: number): number =>
  ((VALUES[text.charCodeAt(at)] ?? 0) << 6) | (VALUES[text.charCodeAt(at + 1)] ?? 0)
