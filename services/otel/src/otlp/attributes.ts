/** Attributes by name. A value is converted only when it is read, since most never are. */
export interface Attributes {
  has(name: string): boolean
  /** Undefined if missing, or nested deeper than `DEPTH_MAX`. */
  get(name: string): unknown
  /** The value if it is a non-empty string. */
  text(name: string): string | undefined
}

/** Nesting of lists and maps. */
const DEPTH_MAX = 32
/** Attributes of one span; SDKs stop at 128 by default. */
const ATTRIBUTES_MAX = 1_024

/** Reads OTLP's `KeyValue` list, from JSON or protobuf. Never throws: invalid entries are skipped. */
export function readAttributes(list: unknown): Attributes {
  const byName = new Map<string, unknown>()
  for (const each of listOf(list).slice(0, ATTRIBUTES_MAX)) {
    const { key, value } = fieldsOf(each)
    if (typeof key === 'string') byName.set(key, value)
  }
  const get = (name: string): unknown => plain(byName.get(name), 0)
  return {
    has: (name) => byName.has(name),
    get,
    text: (name) => {
      const value = get(name)
      return typeof value === 'string' && value !== '' ? value : undefined
    },
  }
}

/** OTLP's `AnyValue` as plain data; integers beyond 2⁵³ stay strings. */
function plain(raw: unknown, depth: number): unknown {
  if (depth > DEPTH_MAX) return undefined
  const { stringValue, boolValue, intValue, doubleValue, arrayValue, kvlistValue, bytesValue } = fieldsOf(raw)
  if (hasValue(stringValue)) return stringValue
  if (hasValue(boolValue)) return boolValue
  if (hasValue(intValue)) return integerOf(intValue)
  if (hasValue(doubleValue)) return doubleOf(doubleValue)
  if (hasValue(arrayValue))
    return listOf(fieldsOf(arrayValue)['values']).map((each) => plain(each, depth + 1))
  if (hasValue(kvlistValue)) return mapOf(fieldsOf(kvlistValue)['values'], depth + 1)
  if (hasValue(bytesValue)) return bytesValue instanceof Uint8Array ? base64Of(bytesValue) : bytesValue
  return undefined
}

function mapOf(list: unknown, depth: number): Record<string, unknown> {
  const entries: [string, unknown][] = []
  for (const each of listOf(list)) {
    const { key, value } = fieldsOf(each)
    if (typeof key === 'string') entries.push([key, plain(value, depth)])
  }
  // Not by assignment, so that `__proto__` is an ordinary name.
  return Object.fromEntries(entries)
}

function integerOf(value: unknown): unknown {
  const text = String(value)
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : text
}

/** JSON cannot hold numbers that are not finite. */
function doubleOf(value: unknown): unknown {
  const number = Number(value)
  return Number.isFinite(number) ? number : String(value)
}

const base64Of = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

const hasValue = (value: unknown): boolean => value !== undefined && value !== null

/** The members of an object; empty for anything else. */
export const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : NOTHING

const NOTHING: Readonly<Record<string, unknown>> = Object.freeze({})

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
