import { createHmac, timingSafeEqual } from 'node:crypto'
import { canonicalJson } from './canonical.js'
import type { InternalEvent } from './events.js'

/** `event` with its signature: HMAC-SHA-256 under `key` over the canonical JSON of everything else in it. */
export function signEvent<T extends InternalEvent>(event: Omit<T, 'signature'>, key: string): T {
  return { ...event, signature: signatureOf(event, key) } as unknown as T
}

/** Whether `event` was signed with `key`; compared in constant time. */
export function isSignedBy(event: InternalEvent, key: string): boolean {
  const { signature, ...rest } = event
  const expected = Buffer.from(signatureOf(rest, key), 'hex')
  const given = Buffer.from(signature, 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function signatureOf(event: object, key: string): string {
  return createHmac('sha256', key).update(canonicalJson(event)).digest('hex')
}
