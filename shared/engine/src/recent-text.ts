import type { Recent } from './session.js'
import { VERDICTS } from './words.js'

/** Characters of the hash of an event, 128 bits in base64url; contracts' `EVENT_HASH_LENGTH`, which the engine may use as a type alone. */
const HASH = 22
/** Characters of one entry: a digit for the verdict, and the hash. */
const ENTRY = 1 + HASH

/** The latest events, an entry each: they are most of a record. */
export function encodeRecent(recent: readonly Recent[]): string {
  let text = ''
  for (const { hash, verdict } of recent) text += VERDICTS.indexOf(verdict) + hash
  return text
}

/** What `text` holds, as far as it is made of whole entries; to know whether it is, encode it again and compare. */
export function decodeRecent(text: string): Recent[] {
  const recent: Recent[] = []
  for (let at = 0; at + ENTRY <= text.length; at += ENTRY) {
    const verdict = VERDICTS[text.charCodeAt(at) - ZERO]
    if (!verdict) return []
    recent.push({ hash: text.slice(at + 1, at + ENTRY), verdict })
  }
  return recent
}

const ZERO = '0'.charCodeAt(0)

/** Whether `hash` is one that a record can hold. */
export const isEventHash = (hash: string): boolean => hash.length === HASH && BASE64URL.test(hash)

const BASE64URL = /^[\w-]*$/
