import type { ArgumentReading } from '@plimsoll/contracts'

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

const NAMES: Readonly<Record<ArgumentReading, string>> = {
  shell: 'command cmd commands commandline shellcommand bashcommand script shell',
  code: 'code pythoncode python program sourcecode',
  sql: 'sql query q statement sqlquery statements queries',
  path: `source path paths file files filepath filepaths filename filenames sourcepath destinationpath destination src dst dest target directory dir folder
    cwd outputpath inputpath oldpath newpath fileuri attachments`,
  url: 'url urls uri link href endpoint webhook webhookurl callbackurl baseurl',
  http_method: 'method httpmethod verb',
  recipients: `to cc bcc recipients recipient participants attendees email emails emailaddress useremail toaddress invitees guests members
    sharewith address sendto`,
  amount: 'amount sum total price value amountcents',
  flag: `force forced recursive overwrite permanent permanently hard purge skipconfirmation noconfirm skiptrash intrash trash trashed totrash delete deleted
    isdeleted remove removed destroy wipe cascade dropexisting deleteexisting truncate emptytrash harddelete permanentdelete deletepermanently`,
}

const READINGS: ReadonlyMap<string, ArgumentReading> = new Map(
  Object.entries(NAMES).flatMap(([reading, names]) =>
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, reading as ArgumentReading] as const),
  ),
)

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
