import { isUtf8 } from 'node:buffer'
import { readSet, longPattern } from './data.js'

/** Code units of a text that are read, at its beginning and at its end. */
export const TEXT_HEAD_UNITS = 65_536
export const TEXT_TAIL_UNITS = 16_384
/** Limits for JSON values: depth and number of values. The rest is left out. */
export const TEXT_DEPTH_MAX = 32
export const TEXT_VALUES_MAX = 65_536

/** Separates head and tail, so that no token spans the cut. */
const CUT = '\n…\n'

/** `tail` collects text after `head` is full, and is trimmed to what is kept. */
interface Walk {
  head: string
  tail: string
  cut: boolean
  values: number
  /** Whether the value holds something other than length that the text lacks. */
  hasOther: boolean
}

/** The text of a value, and whether it is complete. */
export interface TextReading {
  readonly text: string
  readonly isWhole: boolean
}

/**
 * Returns the text in `value`: a string unchanged; bytes as UTF-8; keys and values of an object, array, map or set, one line each
 * (`key: value`); the message of an error. A long text is cut to its first 64 kB and last 16 kB. Never throws; unreadable members are
 * skipped. Reads at most `TEXT_VALUES_MAX` values to a depth of `TEXT_DEPTH_MAX`, so cycles end.
 *
 * @example textOf({ to: ['a@mail.example'], n: 2 }) // 'to:\na@mail.example\nn: 2\n'
 */
export const textOf = (value: unknown): string => readText(value).text

/**
 * Like `textOf`, and says whether the text is whole: the value is a string or plain data, nothing was cut, and it contains no picture, sound
 * or file.
 */
export function readText(value: unknown): TextReading {
  if (typeof value === 'string') {
    const text = bounded(value)
    return { text, isWhole: text === value && !holdsMedia(text) }
  }
  const walk: Walk = { head: '', tail: '', cut: false, values: 0, hasOther: false }
  try {
    write(walk, value, 0)
  } catch {
    // A proxy that throws on any access.
    walk.hasOther = true
  }
  const tail = walk.tail === '' ? '' : (walk.cut ? CUT : '') + walk.tail.slice(-TEXT_TAIL_UNITS)
  const text = walk.head + tail
  return { text, isWhole: !walk.cut && !walk.hasOther && !holdsMedia(text) }
}

const MEDIA_URL = longPattern('text-of.MEDIA_URL')
const MEDIA_BLOCK = longPattern('text-of.MEDIA_BLOCK')

/** Detects data URLs of files, and pictures or sounds in protocol messages if the text is JSON. */
const holdsMedia = (text: string): boolean =>
  (hasDataUrl(text) && MEDIA_URL.test(text)) || (text.includes('"type"') && MEDIA_BLOCK.test(text))

/** Whether `data:` stands in the text. A search for the colon is quicker than one for the word. */
function hasDataUrl(text: string): boolean {
  for (let colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', colon + 1))
    if (colon >= 4 && text.charCodeAt(colon - 1) === LOWER_A && text.startsWith('data', colon - 4))
      return true
  return false
}
const LOWER_A = 97

const bounded = (text: string): string =>
  text.length <= TEXT_HEAD_UNITS + TEXT_TAIL_UNITS
    ? text
    : text.slice(0, TEXT_HEAD_UNITS) + CUT + text.slice(-TEXT_TAIL_UNITS)

function append(walk: Walk, text: string): void {
  const room = TEXT_HEAD_UNITS - walk.head.length
  walk.head += room >= text.length ? text : text.slice(0, room)
  if (room >= text.length) return
  walk.tail += text.slice(Math.max(room, text.length - TEXT_TAIL_UNITS))
  walk.cut ||= text.length - room > TEXT_TAIL_UNITS || walk.tail.length > TEXT_TAIL_UNITS
  if (walk.tail.length > 2 * TEXT_TAIL_UNITS) walk.tail = walk.tail.slice(-TEXT_TAIL_UNITS)
}

function write(walk: Walk, value: unknown, depth: number): void {
  if (walk.values++ >= TEXT_VALUES_MAX) return void (walk.hasOther = true)
  if (typeof value === 'object' && value !== null) {
    if (depth < TEXT_DEPTH_MAX) return writeObject(walk, value, depth + 1)
    walk.hasOther = true
    return append(walk, `${CUT}\n`)
  }
  if (typeof value === 'function' || typeof value === 'symbol') walk.hasOther = true
  append(walk, plainText(value))
  append(walk, '\n')
}

function plainText(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'
    ? `${value}`
    : ''
}

function writeObject(walk: Walk, value: object, depth: number): void {
  if (ArrayBuffer.isView(value)) return writeBytes(walk, value)
  if (Array.isArray(value)) return writeItems(walk, value, depth)
  if (value instanceof Map || value instanceof Set) return writeItems(walk, Array.from(value), depth)
  if (value instanceof Error) writeError(walk, value)
  else if (value instanceof Date || value instanceof URL) return append(walk, `${JSON.stringify(value)}\n`)
  else if (!isPlain(value) || isMedia(value)) walk.hasOther = true
  for (const key in value) {
    if (walk.values >= TEXT_VALUES_MAX) return void (walk.hasOther = true)
    if (!Object.hasOwn(value, key)) continue
    const member = memberOf(walk, value, key)
    append(walk, key)
    append(walk, typeof member === 'object' && member !== null ? ':\n' : ': ')
    write(walk, member, depth)
  }
}

/** Class instances may hold more than their members, and serialise differently. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null || isOtherRealm(prototype)
}

/** Whether it is the prototype of plain objects in another realm, such as a sandbox. */
const isOtherRealm = (prototype: unknown): boolean =>
  typeof prototype === 'object' &&
  prototype !== null &&
  Object.getPrototypeOf(prototype) === null &&
  Object.hasOwn(prototype, 'hasOwnProperty')

const MEDIA_TYPES = readSet('text', 'mediaTypes')
const MEDIA_MEMBERS = [...readSet('text', 'mediaMembers')]

/** Detects content blocks with a picture, sound or file, in the formats of MCP and model providers. */
function isMedia(value: object): boolean {
  const { type, blob } = value as Readonly<Record<string, unknown>>
  if (typeof blob === 'string') return true
  return (
    typeof type === 'string' &&
    MEDIA_TYPES.has(type) &&
    MEDIA_MEMBERS.some((name) => Object.hasOwn(value, name))
  )
}

function writeError(walk: Walk, error: Error): void {
  append(walk, `${String(memberOf(walk, error, 'message'))}\n`)
  if (error.cause !== undefined || error instanceof AggregateError) walk.hasOther = true
}

function writeItems(walk: Walk, items: readonly unknown[], depth: number): void {
  let at = 0
  for (; at < items.length && walk.values < TEXT_VALUES_MAX; at++) write(walk, items[at], depth)
  if (at < items.length) walk.hasOther = true
}

function memberOf(walk: Walk, value: object, key: string): unknown {
  try {
    return (value as Readonly<Record<string, unknown>>)[key]
  } catch {
    walk.hasOther = true
    return undefined
  }
}

function writeBytes(walk: Walk, view: ArrayBufferView): void {
  const bytes = Buffer.from(view.buffer, view.byteOffset, view.byteLength)
  if (!isUtf8(bytes) || bytes.includes(0)) walk.hasOther = true
  if (bytes.length > TEXT_HEAD_UNITS + TEXT_TAIL_UNITS) walk.hasOther = true
  append(walk, bytesText(view))
}

function bytesText(view: ArrayBufferView): string {
  const bytes = Buffer.from(view.buffer, view.byteOffset, view.byteLength)
  if (bytes.length <= TEXT_HEAD_UNITS + TEXT_TAIL_UNITS) return bytes.toString()
  return (
    bytes.toString('utf8', 0, TEXT_HEAD_UNITS) + CUT + bytes.toString('utf8', bytes.length - TEXT_TAIL_UNITS)
  )
}
