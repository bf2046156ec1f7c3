import type { ArgumentReading } from '@plimsoll/contracts'
import { readByWord, longPattern } from '../text/data.js'
import { keptByName } from '../text/kept.js'

/** Limits for one argument: the nesting depth and the number of values that are read. */
const DEPTH_MAX = 8
const VALUES_MAX = 256

export type Scalar = string | number | boolean

/** The scalar values of an argument, in order. `cut`: some were not read. */
export interface Values {
  readonly scalars: readonly Scalar[]
  readonly cut: boolean
}

/** Collects the strings, numbers and booleans in lists and records; null and undefined are skipped. */
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

/** Counts keys up to the limit only. */
function countOf(value: object): number {
  let count = 0
  for (const _ in value) {
    count += 1
    if (count > VALUES_MAX) break
  }
  return count
}

/** Longer argument names are not read. */
const NAME_MAX = 64

const READINGS = readByWord<ArgumentReading>('tools', 'argumentNames')

/** Arguments that always hold SQL. */
const SQL_ALONE = new Set(['sql', 'sqlquery', 'sqlstatement', 'sqltext', 'rawsql'])
/** Flags that delete something. */
const DELETION_FLAGS = longPattern('values.DELETION_FLAGS')

export const isSqlAlone = (name: string): boolean => SQL_ALONE.has(plain(name))

/** Whether a flag with this name deletes something. */
export const isDeletionFlag = (name: string): boolean => name.length <= NAME_MAX && DELETION_FLAGS.test(name)

const plain = keptByName((name) =>
  name
    .slice(0, NAME_MAX)
    .toLowerCase()
    .replaceAll(/[_\-\s]/g, ''),
)

/**
 * How to read an argument without a catalogue rule, by its name. Case, `_` and `-` are ignored.
 *
 * @example defaultReadingOf('file_path') // 'path'
 */
export function defaultReadingOf(name: string): ArgumentReading | undefined {
  const known = READINGS.get(name)
  if (known || name.length > NAME_MAX) return known
  return READINGS.get(plain(name))
}

/** Whether a command for a database is a statement of SQL, and not one of a shell. */
export const beginsSql = (value: unknown): boolean => typeof value === 'string' && STARTS_SQL.test(value)

const STARTS_SQL = longPattern('values.STARTS_SQL')
