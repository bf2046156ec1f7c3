import { VERDICTS } from '../../labels/words.js'
import type { Recent } from '../session.js'

/** Length of an event's hash, 128 bits in base64url: the contracts' `EVENT_HASH_LENGTH`, which the engine may not import. */
const HASH = 22
/** Length of one entry: a digit for the verdict, and the hash. */
const ENTRY = 1 + HASH

/** The latest events, one entry each: most of a record. */
export function encodeRecent(recent: readonly Recent[]): string {
  let text = ''
  for (const { hash, verdict } of recent) text += VERDICTS.indexOf(verdict) + hash
  return text
}

/** The whole entries in `text`; encode them again to check that there is nothing else. */
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

/** Whether a record can hold `hash`. */
export const isEventHash = (hash: string): boolean => hash.length === HASH && BASE64URL.test(hash)

const BASE64URL = /^[\w-]*$/
