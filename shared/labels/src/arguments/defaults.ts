import type { ArgumentReading } from '@plimsoll/contracts'

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
