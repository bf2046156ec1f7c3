import { createHash } from 'node:crypto'

/**
 * JSON with the keys of every object sorted and undefined members left out: equal values give equal text (in the manner of
 * RFC 8785, for values that JSON itself can hold).
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => (isPlainObject(member) ? sorted(member) : member))
}

/** SHA-256 in hex of the canonical JSON of `value`. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex')
}

/** The version of a document: the first 128 bits of its digest, in hex. */
export function versionOf(document: unknown): string {
  return digestOf(document).slice(0, 32)
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function sorted(object: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries)
}
