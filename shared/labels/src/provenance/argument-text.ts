import type { FingerprintLetter } from '@plimsoll/contracts'
import { readText } from '../text/text-of.js'
import { roleOf, type Role } from './argument-roles.js'

/** The values of a call's arguments one under the other, and where each stands. */
export interface ArgumentText {
  readonly text: string
  readonly leaves: readonly Leaf[]
  /** Whether there was more than is read. */
  readonly cut: boolean
}
export interface Leaf {
  readonly start: number
  readonly end: number
  readonly letter: FingerprintLetter
  /** Whether the argument's name says that something goes there. */
  readonly isTarget: boolean
}

/** Characters of arguments that are read: of a longer value its beginning and its end. */
export const ARGUMENT_CHARS_MAX = 65_536
const VALUE_HEAD_CHARS = 24_576
const VALUE_TAIL_CHARS = 8_192
/** Values of a call that are read. */
export const LEAVES_MAX = 512
const DEPTH_MAX = 12

/** Never throws: a value that cannot be read is passed over. */
export function argumentText(values: unknown): ArgumentText {
  const leaves: Leaf[] = []
  const parts: string[] = []
  let length = 0
  let isCut = false

  function add(value: string, { letter, isTarget }: Role): void {
    if (value === '') return
    if (leaves.length >= LEAVES_MAX || length >= ARGUMENT_CHARS_MAX) return void (isCut = true)
    const part = cut(value)
    isCut ||= part !== value
    leaves.push({ start: length, end: length + part.length, letter, isTarget })
    parts.push(part)
    length += part.length + 1
  }

  function walk(value: unknown, role: Role, depth: number): void {
    if (typeof value === 'string') return add(value, role)
    if (typeof value === 'number' || typeof value === 'bigint') return add(String(value), role)
    if (typeof value === 'function' || typeof value === 'symbol') return void (isCut = true)
    if (typeof value !== 'object' || value === null) return
    if (depth >= DEPTH_MAX || leaves.length >= LEAVES_MAX) return void (isCut = true)
    if (Array.isArray(value)) return walkAll(value, role, depth + 1)
    if (!isPlainObject(value)) return walkOther(value, role, depth + 1)
    for (const [name, each] of firstOf(Object.entries(value))) walkMember(name, each, role, depth + 1)
  }

  function walkAll(values: readonly unknown[], role: Role, depth: number): void {
    for (const each of firstOf(values)) walk(each, role, depth)
  }

  /** What is no JSON: what it holds is read where that is known, and of anything else its members, which may not be all. */
  function walkOther(value: object, role: Role, depth: number): void {
    if (value instanceof Map || value instanceof Set) return walkAll(Array.from(value), role, depth)
    const { text, isWhole } = readText(value)
    isCut ||= !isWhole
    add(text.trimEnd(), role)
  }

  function walkMember(name: string, value: unknown, role: Role, depth: number): void {
    if (!ORDINARY_NAME.test(name)) add(name, PLAIN)
    walk(value, roleOf(name) ?? role, depth)
  }

  function firstOf<T>(all: readonly T[]): readonly T[] {
    isCut ||= all.length > LEAVES_MAX
    return all.slice(0, LEAVES_MAX)
  }

  try {
    walk(values, PLAIN, 0)
  } catch {
    // A getter or a proxy that throws: what was read before it counts.
    isCut = true
  }
  return { text: parts.join('\n'), leaves, cut: isCut }
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/**
 * Names are part of what is sent, too: those that could be more than names are read as values. Words, with two digits at most behind
 * them, are names; what bends like something encoded, and two capitalised words, are not.
 */
const ORDINARY_NAME =
  /^(?:[a-z$_-]{1,32}|[A-Z_]{1,32}|_?[A-Za-z]?[a-z]*(?:[A-Z][a-z]+|[A-Z]{2,4}(?![a-z])){0,5})\d{0,2}$/

const PLAIN: Role = { letter: 'n', isTarget: false }

function cut(value: string): string {
  if (value.length <= VALUE_HEAD_CHARS + VALUE_TAIL_CHARS) return value
  return `${value.slice(0, VALUE_HEAD_CHARS)}\n${value.slice(-VALUE_TAIL_CHARS)}`
}
