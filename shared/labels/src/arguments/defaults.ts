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
  flag: 'force forced recursive overwrite permanent permanently hard purge skipconfirmation noconfirm skiptrash',
}

const READINGS: ReadonlyMap<string, ArgumentReading> = new Map(
  Object.entries(NAMES).flatMap(([reading, names]) =>
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, reading as ArgumentReading] as const),
  ),
)

/**
 * How an argument is read that no catalogue speaks of, by its name; case, `_` and `-` make no difference.
 *
 * @example defaultReadingOf('file_path') // 'path'
 */
export function defaultReadingOf(name: string): ArgumentReading | undefined {
  const known = READINGS.get(name)
  if (known || name.length > NAME_MAX) return known
  return READINGS.get(name.toLowerCase().replaceAll(/[_\-\s]/g, ''))
}
