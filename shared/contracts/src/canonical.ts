import { hash } from 'node:crypto'

/** Deeper values and cycles are left to JSON.stringify. */
const DEPTH_MAX = 64

/**
 * The canonical JSON of `value` in one pass if it consists of plain objects, arrays and JSON primitives; undefined otherwise or if it is
 * deep. Written for speed: every call's arguments pass here.
 */
function plainJson(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'null'
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  if (value === null) return 'null'
  if (typeof value !== 'object' || depth >= DEPTH_MAX || 'toJSON' in value) return undefined
  return Array.isArray(value) ? plainList(value, depth) : plainObject(value, depth)
}

/** Nothing that JSON may escape: quotes, backslashes, control characters, and surrogates, which may be alone. */
const PLAIN = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/

/** A text as JSON.stringify writes it; a plain one is found in a third of its time. */
const quoted = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text))

function plainList(list: readonly unknown[], depth: number): string | undefined {
  let text = '['
  for (let i = 0; i < list.length; i++) {
    const item = plainJson(list[i], depth + 1)
    if (item === undefined) return undefined
    text += i === 0 ? item : `,${item}`
  }
  return `${text}]`
}

function plainObject(value: object, depth: number): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return undefined
  const members = value as Readonly<Record<string, unknown>>
  let text = '{'
  for (const key of sortedKeys(value)) {
    const member = members[key]
    if (member === undefined) continue
    const written = plainJson(member, depth + 1)
    if (written === undefined) return undefined
    text += text === '{' ? `${quoted(key)}:${written}` : `,${quoted(key)}:${written}`
  }
  return `${text}}`
}

/** By code units, as strings compare. */
function sortedKeys(value: object): string[] {
  const keys = Object.keys(value)
  // Insertion sort is faster for a few keys.
  for (let i = 1; i < keys.length && keys.length <= 16; i++) {
    const key = keys[i] ?? ''
    let place = i
    for (let before = keys[place - 1]; before !== undefined && before > key; before = keys[place - 1])
      keys[place--] = before
    keys[place] = key
  }
  return keys.length > 16 ? keys.sort() : keys
}

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

/** Not by an object with sorted keys: it would list integer-like keys first, by number. */
function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${sortedJson(member)}`).join(',')}}`
}
