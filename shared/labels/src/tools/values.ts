import type { ArgumentReading } from '@plimsoll/contracts'
import { readByWord } from '../text/data.js'

/** How deep lists and records of an argument are looked into, and how many values of one are read. */
const DEPTH_MAX = 8
const VALUES_MAX = 256

export type Scalar = string | number | boolean

/** The plain values of an argument in their order; `cut`: there was more than is read. */
export interface Values {
  readonly scalars: readonly Scalar[]
  readonly cut: boolean
}

/** Collects strings, numbers and booleans out of lists and records; null and undefined are nothing at all. */
export function valuesOf(value: unknown): Values {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return { scalars: [value], cut: false }
  const scalars: Scalar[] = []
  return { scalars, cut: !collect(value, scalars, 0) }
}

function collect(value: unknown, into: Scalar[], depth: number): boolean {
  if (value === null || value === undefined) return true
  if (into.length >= VALUES_MAX) return false
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    into.push(value)
    return true
  }
  if (typeof value === 'bigint') return collect(String(value), into, depth)
  if (typeof value !== 'object' || depth >= DEPTH_MAX) return false
  if (!Array.isArray(value) && countOf(value) > VALUES_MAX) return false
  return Object.values(value).every((inner) => collect(inner, into, depth + 1))
}

/** Counts keys no further than needed. */
function countOf(value: object): number {
  let count = 0
  for (const _ in value) {
    count += 1
    if (count > VALUES_MAX) break
  }
  return count
}

/** Characters of an argument's name. */
const NAME_MAX = 64

const READINGS = readByWord<ArgumentReading>('tools', 'argumentNames')

/** Arguments whose text is SQL and nothing else. */
const SQL_ALONE = new Set(['sql', 'sqlquery', 'sqlstatement', 'sqltext', 'rawsql'])
/** Flags that have something taken away. */
const TAKING_AWAY =
  /^(?:in_?trash|.*trashe?d?|.*deleted?.*|removed?|destroy|wipe|purge|truncate|drop_?existing|cascade)$/i

export const isSqlAlone = (name: string): boolean => SQL_ALONE.has(plain(name))

/** Whether a flag of this name has something taken away. */
export const takesAway = (name: string): boolean => name.length <= NAME_MAX && TAKING_AWAY.test(name)

const plain = (name: string): string =>
  name
    .slice(0, NAME_MAX)
    .toLowerCase()
    .replaceAll(/[_\-\s]/g, '')

/**
 * How an argument is read that no catalogue speaks of, by its name; case, `_` and `-` make no difference.
 *
 * @example defaultReadingOf('file_path') // 'path'
 */
export function defaultReadingOf(name: string): ArgumentReading | undefined {
  const known = READINGS.get(name)
  if (known || name.length > NAME_MAX) return known
  return READINGS.get(plain(name))
}
