import { createHmac, timingSafeEqual } from 'node:crypto'
import { canonicalJson } from './canonical.js'

/** What only the deployment itself may write: internal events, control changes, partition reports. */
export interface Signed {
  readonly signature: string
}

/** `record` with its signature: HMAC-SHA-256 in hex under `key` over the canonical JSON of everything else in it. */
export function sign<T extends Signed>(record: Unsigned<T>, key: string): T {
  return { ...record, signature: signatureOf(record, key) } as unknown as T
}

/** `T` without its signature; each member of a union by itself. */
export type Unsigned<T extends Signed> = T extends unknown ? Omit<T, 'signature'> : never

/** Whether `record` was signed with `key`; compared in constant time. */
export function isSignedBy(record: Signed, key: string): boolean {
  const { signature, ...rest } = record
  const expected = Buffer.from(signatureOf(rest, key), 'hex')
  const given = Buffer.from(signature, 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function signatureOf(record: object, key: string): string {
  return createHmac('sha256', key).update(canonicalJson(record)).digest('hex')
}
