import { longPattern } from '../text/data.js'
import { beginsSql } from '../tools/values.js'

/** What the literal texts of a program are given to. */
export interface TextReaders {
  /** A command line that the program starts. */
  readonly shell: (command: readonly string[]) => void
  /** A statement for a database. */
  readonly sql: (statement: string) => void
  /** A file that it opens to write. */
  readonly written: (path: string, text: undefined, isWhole: boolean) => void
}

/** Longer programs are read by their beginning, in characters; and calls that are read. */
const TEXT_MAX = 65_536
const CALLS_MAX = 64
const ARGUMENT_MAX = 2048

const CALL = longPattern('code-strings.CALL')
const STATEMENTS: ReadonlySet<string> = new Set(['execute', 'executemany', 'executescript'])
/** Calls that give a statement to a database, if it begins as one; `exec` also gives a command line to a shell. */
const MAYBE_STATEMENTS: ReadonlySet<string> = new Set([
  'query',
  'raw',
  'exec',
  'executeRawUnsafe',
  'queryRawUnsafe',
])
/** Calls that take a program and a list of its arguments. */
const WITH_LIST: ReadonlySet<string> = new Set(['spawn', 'spawnSync', 'execFile', 'execFileSync'])
const FILES: ReadonlySet<string> = new Set(['open', 'ZipFile', 'make_archive'])
const QUOTED = longPattern('code-strings.QUOTED')
const MODE = longPattern('code-strings.MODE')
/** A line of a notebook that goes to the shell. */
const MAGIC = longPattern('code-strings.MAGIC')

/**
 * Gives the literal texts that a program runs, sends to a database or writes to, to the readers of such texts: `os.system('…')`,
 * `subprocess.run(['a', 'b'])`, `cursor.execute('…')`, `open('…', 'w')`. Texts that are put together at run time are left to others. Linear.
 */
export function readRunTexts(given: string, { shell, sql, written }: TextReaders): void {
  const text = given.length > TEXT_MAX ? given.slice(0, TEXT_MAX) : given
  const isScratch = opensScratch(text)
  let left = CALLS_MAX
  for (const { 0: call, 1: name = '', index } of text.matchAll(CALL)) {
    if ((left -= 1) < 0) return
    const argument = text.slice(index + call.length, index + call.length + ARGUMENT_MAX)
    if (argument.startsWith('[')) {
      const words = wordsOfList(argument)
      if (words.length > 0 && !STATEMENTS.has(name) && !MAYBE_STATEMENTS.has(name) && !FILES.has(name))
        shell(words)
      continue
    }
    const { 0: literal = '', 2: inner = '' } = QUOTED.exec(argument) ?? []
    const value = inner.replaceAll(/\\(["'`\\])/g, '$1')
    if (value === '') continue
    if (MAYBE_STATEMENTS.has(name)) {
      if (beginsSql(value)) sql(value)
      else if (name === 'exec' && /child_process|promisify/.test(text)) shell([value])
    } else if (STATEMENTS.has(name)) {
      if (!isScratch) sql(value)
    } else if (!FILES.has(name))
      shell([value, ...(WITH_LIST.has(name) ? wordsBehind(argument.slice(literal.length)) : [])])
    else {
      const mode = MODE.exec(argument.slice(literal.length))?.[1] ?? ''
      if (name === 'make_archive' || /[wax+]/.test(mode)) written(value, undefined, mode.includes('w'))
    }
  }
  for (const [, command = ''] of text.matchAll(MAGIC)) if ((left -= 1) >= 0) shell([command])
}

/** Whether every database that a program opens is temporary, or none: `duckdb.connect('/tmp/a.duckdb')`. */
function opensScratch(text: string): boolean {
  const opened = [...text.matchAll(OPENS)].map(([, name = '']) => name)
  return (
    opened.length > 0 &&
    opened.every((name) => SCRATCH.test(name)) &&
    !/\b(?:attach|copy|export)\b/i.test(text)
  )
}
const OPENS = longPattern('code-strings.OPENS')
const SCRATCH = longPattern('code-strings.SCRATCH')

/** The words of a list that is the next argument. */
const wordsBehind = (text: string): string[] => {
  const [comma = ''] = /^\s{0,8},\s{0,8}(?=\[)/.exec(text) ?? []
  return comma === '' ? [] : wordsOfList(text.slice(comma.length))
}

/** The words of a list of literals, up to the first that is none. */
function wordsOfList(text: string): string[] {
  const words: string[] = []
  let at = 1
  for (;;) {
    const rest = text.slice(at).trimStart()
    const found = QUOTED.exec(rest)
    if (!found) return words
    words.push((found[2] ?? '').replaceAll(/\\(["'`\\])/g, '$1'))
    const behind = rest.slice(found[0].length).trimStart()
    if (!behind.startsWith(',')) return words
    at = text.length - behind.length + 1
  }
}
