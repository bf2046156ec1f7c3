import { createHmac, hash } from 'node:crypto'
import { digestOf } from './canonical.js'

/** Digests of arguments, in hex, under one key: equal for equal arguments, and checked by nobody who lacks the key. */
export type ArgumentDigest = (values: unknown) => string

/**
 * Makes digests under a key of its own, derived from `key`. The key stands before a digest of fixed length, so nothing can be appended to what it
 * hashes, and each digest costs two hashes of strings: an HMAC through `createHmac` costs five times as much, and each step pays it.
 */
export function createArgumentDigest(key: string | Uint8Array): ArgumentDigest {
  // 64 characters: one block of SHA-256.
  const own = createHmac('sha256', key).update('plimsoll arguments').digest('hex')
  return (values) => hash('sha256', own + digestOf(values))
}
