import type { Recent } from './session.js'
import { VERDICTS } from './words.js'

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const VALUES = new Map(DIGITS.split('').map((digit, value) => [digit, value]))
/** Characters of one entry: two bits of verdict and 32 of hash, six bits each. */
const ENTRY = 6

/** The events heard last, six characters each: half of what their numbers take, and they are most of a record. */
export function encodeRecent(recent: readonly Recent[]): string {
  let text = ''
  for (const { hash, verdict } of recent) {
    text += DIGITS.charAt(VERDICTS.indexOf(verdict) * 4 + (hash >>> 30))
    for (let shift = 24; shift >= 0; shift -= ENTRY) text += DIGITS.charAt((hash >>> shift) & 63)
  }
  return text
}

/** What `text` says, as far as it is made of whole entries; whoever needs to know encodes it again and compares. */
export function decodeRecent(text: string): Recent[] {
  const recent: Recent[] = []
  for (let start = 0; start + ENTRY <= text.length; start += ENTRY) {
    const first = VALUES.get(text.charAt(start)) ?? 0
    let hash = first & 3
    for (let i = 1; i < ENTRY; i++) hash = hash * 64 + (VALUES.get(text.charAt(start + i)) ?? 0)
    recent.push({ hash, verdict: VERDICTS[first >>> 2] ?? 'block' })
  }
  return recent
}
