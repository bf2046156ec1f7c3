import { longPattern } from '../../text/data.js'
import type { ClaimedLabels } from '@plimsoll/contracts'
import { type Effects, does, raise, signal, unreadable } from '../effects.js'
import { noteDatabaseChange } from '../limits/names-of-change.js'
import { actsOn, effectOfAct, wordsIn } from '../objects.js'
import { type SqlScan, scanSql } from './scan.js'

/** Longer SQL is not read, in characters. */
const TEXT_MAX = 262_144

/** Whether rows are written into a table that is not one of secrets: those who may read the table see them. */
function isShownRecord(text: string): boolean {
  const table = RECORD.exec(text)?.[1]
  return table !== undefined && !OF_SECRETS.test(table)
}
const RECORD = longPattern('read-sql.RECORD')
const OF_SECRETS = longPattern('read-sql.OF_SECRETS')

/** Tables whose rows people read: messages, comments, tickets. */
const SHOWS_SECRETS = longPattern('read-sql.SHOWS_SECRETS')
const SECRET_NAMES = longPattern('read-sql.SECRET_NAMES')

/** The table for people into which a statement puts what a table of secrets holds. */
function shownSecrets(text: string): string | undefined {
  const [, table, selected = ''] = SHOWS_SECRETS.exec(text) ?? []
  return table !== undefined && SECRET_NAMES.test(selected) ? table : undefined
}

const ROWS: ClaimedLabels = { capability: 'read', confidentiality: 'internal', trust: 'untrusted' }
const WRITE: ClaimedLabels = { capability: 'write', reversibility: 'partial' }

/**
 * Labels SQL of any dialect, read by one linear scan: read, write, delete or run. A statement that begins with no known verb gets the worst
 * labels.
 *
 * @param database names of the database that runs it
 */
export function readSql(text: string, effects: Effects, database: readonly string[] = []): void {
  if (text.length > TEXT_MAX) return unreadable(effects, 'SQL that is too long to read')
  if (LOOKS_AT_BACKUP.test(text)) return raise(effects, ROWS, 'SQL that looks at a copy')
  if (EXPLAINS.test(text)) return raise(effects, ROWS, 'SQL that explains a plan')
  const rest = withoutOwnTables(withoutPlans(text))
  if (rest !== text) return readSql(rest, effects, database)
  const scan = scanSql(text)
  if (scan.whole || [...scan.acts].some(({ act }) => act === 'delete')) noteTables(text, effects, database)
  raise(effects, ROWS)
  if (isShownRecord(text.slice(0, NAMED_MAX))) effects.shows = true
  if (EXPORTS.test(text.slice(0, NAMED_MAX))) {
    raise(effects, { capability: 'network', reversibility: 'irreversible' }, 'SQL that sends what it selects')
    does(effects, 'send')
  }
  const shown = shownSecrets(text.slice(0, NAMED_MAX))
  if (shown !== undefined) {
    raise(effects, { capability: 'write', reversibility: 'irreversible' }, 'SQL that shows secrets to people')
    does(effects, 'send')
    // A task to answer a ticket does not ask for secrets in it.
    actsOn(effects, 'send', {
      kind: 'table',
      names: ['secret', 'secrets', 'token', 'tokens', 'credentials'],
      thing: shown,
    })
  }
  const [, overwritten] = RESTORES.exec(text.slice(0, NAMED_MAX)) ?? []
  if (overwritten !== undefined) {
    raise(effects, { capability: 'write', reversibility: 'irreversible' }, 'SQL that goes over what is there')
    does(effects, 'overwrite')
    actsOn(effects, 'restore', {
      kind: 'table',
      names: [overwritten, ...wordsIn(overwritten), ...database],
      thing: overwritten,
    })
  }
  if (HANDS_OVER.test(text.slice(0, NAMED_MAX)))
    raise(
      effects,
      { capability: 'network', reversibility: 'partial' },
      'SQL that hands over what is sent',
      true,
    )
  if (PLANTS.test(text.slice(0, NAMED_MAX))) {
    raise(
      effects,
      { capability: 'execute', reversibility: 'irreversible' },
      'SQL that writes what a server runs',
    )
    does(effects, 'grant')
  }
  if (LETS_IN.test(text.slice(0, NAMED_MAX)) || ADMITS.test(text.slice(0, NAMED_MAX))) {
    raise(effects, { capability: 'write', reversibility: 'irreversible' }, 'SQL that lets others in')
    does(effects, 'grant')
  }
  if (SETS_PASSWORD.test(text.slice(0, NAMED_MAX))) notePassword(text.slice(0, NAMED_MAX), effects)
  if (/\bgrant\b/i.test(text) && /\bto\s{1,8}public\b/i.test(text.slice(0, NAMED_MAX)))
    actsOn(effects, 'grant', {
      kind: 'account',
      names: ['public', 'everyone', 'everybody'],
      thing: 'everyone',
    })
  raiseScan(scan, effects)
  if ([...scan.acts].some(({ labels }) => labels.capability === 'write'))
    noteDatabaseChange(effects, ...(CHANGES_SCHEMA.test(text.slice(0, NAMED_MAX)) ? ['schema'] : []))
  if (scan.ambiguous) raiseScan(scanSql(text, true), effects)
  if (isPlainQuery(scan)) return raise(effects, {}, 'SQL that reads')
  if (scan.unknown || (!scan.known && !EMPTY.test(text))) unreadable(effects, 'SQL that cannot be read', text)
}

/** Other tables, indexes or columns, but for those of the session alone. */
const CHANGES_SCHEMA = longPattern('read-sql.CHANGES_SCHEMA')

/** No statement: white space, semicolons and comments. */
const EMPTY = longPattern('read-sql.EMPTY')

/** A row for a table of messages that something else sends. */
const HANDS_OVER = longPattern('read-sql.HANDS_OVER')

/** One statement of SQL Server that only shows what a copy holds. */
const LOOKS_AT_BACKUP = longPattern('read-sql.LOOKS_AT_BACKUP')

/** One statement whose plan alone is shown; `ANALYZE` would run it. */
const EXPLAINS = longPattern('read-sql.EXPLAINS')

/** `text` without the statements whose plan alone is shown, between others. */
const withoutPlans = (text: string): string =>
  text.length > NAMED_MAX || !/\bexplain\b/i.test(text)
    ? text
    : text
        .split(';')
        .filter((statement) => !EXPLAINS.test(statement.trim()))
        .join(';')

/** `text` without the drops of tables that it has made itself before. */
function withoutOwnTables(text: string): string {
  if (text.length > NAMED_MAX || !/\bdrop\s{1,8}table\b/i.test(text)) return text
  const made = new Set<string>()
  return text
    .split(';')
    .filter((statement) => {
      const [, created] = MAKES_TABLE.exec(statement) ?? []
      if (created !== undefined) made.add(created.toLowerCase())
      const [, dropped] = DROPS_TABLE.exec(statement) ?? []
      return dropped === undefined || !made.has(dropped.toLowerCase())
    })
    .join(';')
}
const MAKES_TABLE = longPattern('read-sql.MAKES_TABLE')
const DROPS_TABLE = longPattern('read-sql.DROPS_TABLE')

/** Statements that write to a store outside of the database. */
const EXPORTS = longPattern('read-sql.EXPORTS')

/** A restore over a database that is there, and rows that are merged for good. */
const RESTORES = longPattern('read-sql.RESTORES')

/** Files that a server runs or trusts, as the target of a query. */
const PLANTS = longPattern('read-sql.PLANTS')

/** Statements that take a table's protection away, or make somebody an owner of everything. */
const LETS_IN = longPattern('read-sql.LETS_IN')

/** A statement that makes an administrator of a user by the value of a column. */
const ADMITS = longPattern('read-sql.ADMITS')

/** A statement that sets a password of users. */
const SETS_PASSWORD = longPattern('read-sql.SETS_PASSWORD')
const OF_USER = longPattern('read-sql.OF_USER')

function notePassword(text: string, effects: Effects): void {
  raise(effects, { capability: 'write', reversibility: 'irreversible' }, 'SQL that sets a password')
  does(effects, 'credential')
  const [, user] = OF_USER.exec(text) ?? []
  actsOn(effects, effectOfAct('credential'), {
    kind: 'account',
    names: ['password', 'passwords', ...(user === undefined ? [] : [user, ...wordsIn(user)])],
    thing: user === undefined ? 'passwords of users' : `the password of ${user}`,
  })
}

/** Tables and databases of statements that take away, in characters that are read for them. */
const NAMED_MAX = 4096
const TABLE = longPattern('read-sql.TABLE')

/**
 * A single deletion of the rows that have one value, and the value: a task that names it names the rows. The columns say which record it is.
 */
const OF_RECORD = longPattern('read-sql.OF_RECORD')

/** What one statement takes away several of: `drop table a, b`. */
const LIST = longPattern('read-sql.LIST')
const DROPS = /\bdrop\s/i
/** A column that goes: a task may name it with its table, as `orders.note`. */
const COLUMN = longPattern('read-sql.COLUMN')
const COLUMNS_MAX = 4
const LISTED = /([\w.$-]{1,128})/

/** Records the tables that statements take rows from. */
function noteTables(text: string, effects: Effects, database: readonly string[]): void {
  const read = text.slice(0, NAMED_MAX)
  if (DELETES.test(read) && !SHAPES.test(read))
    for (const statement of read.split(';', STATEMENTS_MAX)) noteTablesOf(statement.trim(), effects, database)
  else noteTablesOf(read, effects, database)
}

const DELETES = /\bdelete\s/i
const SHAPES = longPattern('read-sql.SHAPES')

function noteTablesOf(text: string, effects: Effects, database: readonly string[]): void {
  const [, number, value] = (text.length <= 512 && OF_RECORD.exec(text)) || []
  const record = number ?? value
  const columns = [...text.matchAll(COLUMN)].map(([, column = '']) => column).slice(0, COLUMNS_MAX)
  const named = [...text.matchAll(TABLE)].map(([, name = '']) => name)
  const listed = [...text.matchAll(LIST)].flatMap(([, list = '']) =>
    list.split(',').flatMap((each) => LISTED.exec(each)?.[1] ?? []),
  )
  for (const name of new Set([...named, ...listed]))
    if (!/^(?:if|only|table|set)$/i.test(name))
      actsOn(effects, 'delete', {
        kind: 'table',
        names: [
          ...(record === undefined ? [] : [record]),
          ...(listed.length > 1 && DROPS.test(text) ? [] : database),
          name,
          ...wordsIn(name.replaceAll('_', ' ')),
          ...columns.flatMap((column) => [`${name}.${column}`, column]),
        ],
        thing: name,
      })
}

/** Raises only certain SQL, for an argument that may also hold plain words: `select a hotel` raises nothing. */
export function readPossibleSql(text: string, effects: Effects): void {
  if (text.length > TEXT_MAX) return
  if (SHAPE.test(text) || text.split(';', STATEMENTS_MAX).some((part) => SHAPE.test(part)))
    readSql(text, effects)
}

/** Statements that are tested for the shape of SQL. */
const STATEMENTS_MAX = 64

/** Brackets and comments may precede a statement. Calls of functions count, and statements that name a program or a file. */
const SHAPE = longPattern('read-sql.SHAPE')

const isPlainQuery = (scan: SqlScan): boolean =>
  scan.known && !scan.unknown && !scan.ambiguous && !scan.into && scan.acts.size === 0

function raiseScan(scan: SqlScan, effects: Effects): void {
  for (const { labels, reason, act } of scan.acts) {
    raise(effects, labels, reason)
    if (act) does(effects, act)
  }
  if (scan.into) raise(effects, WRITE, 'SQL that writes what it selects')
  if (scan.whole) {
    raise(effects, { reversibility: 'irreversible' }, 'SQL that changes every row of a table')
    signal(effects, 'destructive', 1)
    does(effects, 'delete')
  }
  for (const confidentiality of scan.names)
    raise(
      effects,
      { confidentiality },
      `SQL that names ${confidentiality === 'credentials' ? 'credentials' : 'sensitive data'}`,
    )
}
