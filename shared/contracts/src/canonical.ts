import { hash } from 'node:crypto'
import { plainJson } from './plain-json.js'

/**
 * JSON with the keys of every object sorted by UTF-16 code units and undefined members left out: equal values give equal text, in
 * any language (RFC 8785, for values that JSON itself can hold). Throws what JSON.stringify throws: on cycles and bigints.
 */
export function canonicalJson(value: unknown): string {
  const direct = plainJson(value)
  if (direct !== undefined) return direct
  const text: string | undefined = JSON.stringify(value)
  return text === undefined ? 'null' : sortedJson(JSON.parse(text))
}

/** SHA-256 in hex of the canonical JSON of `value`. */
export function digestOf(value: unknown): string {
  return hash('sha256', canonicalJson(value))
}

/** The version of a document: the first 128 bits of its digest, in hex. */
export function versionOf(document: unknown): string {
  return digestOf(document).slice(0, 32)
}

/** Written out by hand: an object built with sorted keys would still list those that look like integers first, by number. */
function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${sortedJson(member)}`).join(',')}}`
}
