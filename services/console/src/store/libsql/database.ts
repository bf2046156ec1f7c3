import { PlimsollError } from '@plimsoll/contracts'

/** What can be bound. Nothing else: the library ends the process on a boolean. */
export type Value = string | number | null
export type Row = Readonly<Record<string, Value>>

/** A database of SQLite. Calls are synchronous and throw `store_unavailable`. */
export interface Database {
  /** Runs one statement; returns how many rows it changed. */
  run(sql: string, ...values: readonly Value[]): number
  all(sql: string, ...values: readonly Value[]): readonly Row[]
  /** Runs several statements without values. */
  exec(sql: string): void
  /** Runs `work` as one transaction, which is undone if it throws. */
  transaction<T>(work: () => T): T
  close(): void
}

/** The folder's place in the name of a database that is kept in memory. */
export const IN_MEMORY = ':memory:'

interface Statement {
  run(...values: readonly Value[]): { readonly changes: number }
  all(...values: readonly Value[]): unknown
}

/** Statements that are kept prepared: more than the read model has. */
const STATEMENTS_MAX = 200

/** Opens `file`, or a database in memory for `:memory:`. Rejects with `config_invalid`. */
export async function openDatabase(file: string): Promise<Database> {
  const Library = await loadLibrary()
  const database = attempt(
    'config_invalid',
    `the database \`${file}\` cannot be opened`,
    () => new Library(file),
  )
  const statements = new Map<string, Statement>()
  let isOpen = true

  function prepared(sql: string): Statement {
    const known = statements.get(sql)
    if (known) return known
    if (statements.size >= STATEMENTS_MAX) statements.clear()
    const statement: Statement = database.prepare<Value[]>(sql)
    statements.set(sql, statement)
    return statement
  }

  const during = <T>(work: () => T): T =>
    attempt('store_unavailable', 'the database of the console failed', () => {
      if (!isOpen) throw new PlimsollError('closed', 'the database of the console is closed')
      return work()
    })

  const exec = (sql: string): void => void during(() => database.exec(sql))
  if (file !== IN_MEMORY) exec('pragma journal_mode = wal; pragma synchronous = normal')
  return {
    run: (sql, ...values) => during(() => prepared(sql).run(...values).changes),
    all: (sql, ...values) => during(() => prepared(sql).all(...values) as readonly Row[]),
    exec,
    transaction(work) {
      exec('begin immediate')
      try {
        const result = work()
        exec('commit')
        return result
      } catch (error) {
        exec('rollback')
        throw error
      }
    },
    close() {
      if (!isOpen) return
      isOpen = false
      statements.clear()
      database.close()
    },
  }
}

/** Loaded when a console starts: other commands of the command line do not need it, and some platforms have no binary. */
async function loadLibrary() {
  try {
    return (await import('libsql')).default
  } catch (cause) {
    const message = `the console needs the package \`libsql\`, which is not installed or has no binary for ${process.platform} on ${process.arch}`
    throw new PlimsollError('config_invalid', message, { cause })
  }
}

function attempt<T>(code: 'config_invalid' | 'store_unavailable', what: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    if (cause instanceof PlimsollError) throw cause
    throw new PlimsollError(code, `${what}: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    })
  }
}
