import type { FingerprintLetter } from '@plimsoll/contracts'
import { roleOf, type Role } from './argument-roles.js'

/** The values of a call's arguments one under the other, and where each stands. */
export interface ArgumentText {
  readonly text: string
  readonly leaves: readonly Leaf[]
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

  function add(value: string, { letter, isTarget }: Role): void {
    if (value === '' || leaves.length >= LEAVES_MAX || length >= ARGUMENT_CHARS_MAX) return
    const part = cut(value)
    leaves.push({ start: length, end: length + part.length, letter, isTarget })
    parts.push(part)
    length += part.length + 1
  }

  function walk(value: unknown, role: Role, depth: number): void {
    if (typeof value === 'string') return add(value, role)
    if (typeof value === 'number' || typeof value === 'bigint') return add(String(value), role)
    if (typeof value !== 'object' || value === null || depth >= DEPTH_MAX || leaves.length >= LEAVES_MAX)
      return
    if (Array.isArray(value)) for (const each of value.slice(0, LEAVES_MAX)) walk(each, role, depth + 1)
    else
      for (const [name, each] of Object.entries(value).slice(0, LEAVES_MAX))
        walk(each, roleOf(name) ?? role, depth + 1)
  }

  try {
    walk(values, PLAIN, 0)
  } catch {
    // A getter or a proxy that throws: what was read before it counts.
  }
  return { text: parts.join('\n'), leaves }
}

const PLAIN: Role = { letter: 'n', isTarget: false }

function cut(value: string): string {
  if (value.length <= VALUE_HEAD_CHARS + VALUE_TAIL_CHARS) return value
  return `${value.slice(0, VALUE_HEAD_CHARS)}\n${value.slice(-VALUE_TAIL_CHARS)}`
}
