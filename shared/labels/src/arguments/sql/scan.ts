import type { Confidentiality } from '@plimsoll/contracts'
import {
  callOf,
  GRANT_WORD,
  NEW_PASSWORD,
  NO_VERB_AFTER,
  REACHING_CALL,
  RUNNING_OBJECTS,
  RUNS_LATER,
  SQL_NAMES,
  SQL_WORDS,
  STATEMENT_AFTER,
  UNKNOWN_CALL,
  WHO_MAY,
  WRITES_OVER,
  type SqlWord,
} from './words.js'
import { readSet, longPattern } from '../../text/data.js'

/** The result of one linear scan over SQL. */
export interface SqlScan {
  /** Verbs and functions that do more than read. */
  readonly acts: Set<SqlWord>
  /** UPDATE or DELETE without WHERE. */
  whole: boolean
  /** Whether SELECT … INTO writes a table or a file. */
  into: boolean
  /** Whether a statement begins with a known verb. */
  known: boolean
  /** Whether a statement begins with anything else. */
  unknown: boolean
  /** Confidentiality by the names of tables and columns. */
  readonly names: Set<Confidentiality>
  /** Whether dialects disagree about where strings or comments end. */
  ambiguous: boolean
}

/** Words by which an account that is altered gets a password, or more rights. */
const OF_PASSWORD = /^(?:PASSWORD|IDENTIFIED)$/
const OF_RIGHTS = longPattern('scan.OF_RIGHTS')

/** Longer words, in characters, are not SQL. */
const WORD_MAX = 64

const isWord = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  code === 95 ||
  (code >= 48 && code <= 57) ||
  code > 127

/**
 * Scans SQL of any dialect in one pass. With `bare`, quotes and comments are ignored, so that their content counts. Use it as the second
 * reading of an ambiguous text.
 */
export function scanSql(text: string, bare = false): SqlScan {
  const scan: SqlScan = {
    acts: new Set(),
    whole: false,
    into: false,
    known: false,
    unknown: false,
    names: new Set(),
    ambiguous: false,
  }
  const state = createState(scan, bare)
  for (let i = 0; i < text.length;) {
    const code = text.charCodeAt(i)
    if (isWord(code)) {
      const start = i
      while (i < text.length && isWord(text.charCodeAt(i))) i += 1
      state.word(i - start > WORD_MAX ? '' : text.slice(start, i).toUpperCase(), text, i)
      continue
    }
    i = bare ? state.separator(code, i) : skip(text, i, code, scan, state)
  }
  state.end()
  return scan
}

/** Skips one character that is no word, or a whole string, name or comment. Returns the next index. */
function skip(text: string, at: number, code: number, scan: SqlScan, state: State): number {
  if (code === 39 || code === 34 || code === 96) return quoted(text, at, code, scan, state)
  if (code === 45 && text.charCodeAt(at + 1) === 45) return lineComment(text, at, scan)
  if (code === 47 && text.charCodeAt(at + 1) === 42) return blockComment(text, at, scan)
  if (code === 35 || code === 36 || code === 92) scan.ambiguous = true
  return state.separator(code, at)
}

function quoted(text: string, at: number, quote: number, scan: SqlScan, state: State): number {
  const end = text.indexOf(String.fromCharCode(quote), at + 1)
  if (end < 0) scan.ambiguous = true
  const last = end < 0 ? text.length : end
  const inner = text.slice(at + 1, last)
  if (inner.includes('\\')) scan.ambiguous = true
  const name = inner.length > WORD_MAX ? '' : inner.toUpperCase()
  if (quote !== 39) noteName(name, scan)
  state.quoted(quote === 39 ? undefined : name, inner)
  return last + 1
}

/** MySQL requires a blank after `--`; other dialects do not. */
function lineComment(text: string, at: number, scan: SqlScan): number {
  const next = text.charCodeAt(at + 2)
  if (!(next <= 32 || Number.isNaN(next))) scan.ambiguous = true
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end + 1
}

/** MySQL runs comments that begin with `!`; PostgreSQL nests comments. */
function blockComment(text: string, at: number, scan: SqlScan): number {
  const end = text.indexOf('*/', at + 2)
  const body = text.slice(at + 2, end < 0 ? text.length : end)
  if (end < 0 || body.startsWith('!') || body.startsWith('M!') || body.includes('/*')) scan.ambiguous = true
  return end < 0 ? text.length : end + 2
}

function noteName(name: string, scan: SqlScan): void {
  const known = SQL_NAMES.get(name)
  if (known) scan.names.add(known)
}

interface State {
  word(word: string, text: string, end: number): void
  /** Handles a string, or a quoted name. */
  quoted(name: string | undefined, inner: string): void
  separator(code: number, at: number): number
  end(): void
}

/** Tracks where statements begin and their verbs. */
function createState(scan: SqlScan, bare: boolean): State {
  let before = ';'
  let verb = ''
  let where = true
  let words = 0
  const names = createNames(scan)
  // Whether an account is altered, and by a new password.
  let account = ''
  const close = (): void => {
    if (!where) scan.whole = true
    if (account !== '') scan.acts.add(account === 'password' ? NEW_PASSWORD : GRANT_WORD)
    account = ''
    where = true
    verb = ''
    words = 0
  }
  const opens = (): boolean =>
    before === ';' ||
    before === '(' ||
    before === ')' ||
    (bare && before === '') ||
    STATEMENT_AFTER.has(before)
  const take = (word: string, known: SqlWord, call: boolean): void => {
    if (
      known.counts === 'call'
        ? !call
        : call && known.counts === 'anywhere' && known.labels.capability === 'write'
    )
      return
    if (known.counts === 'first' && (!opens() || (call && word === 'REPLACE'))) return
    if (NO_VERB_AFTER.has(before) || before === '.') return
    // `WHERE program = 1` runs nothing.
    if (word === 'PROGRAM' && before !== 'TO' && before !== 'FROM') return
    if (!known.reads) scan.acts.add(known)
    if (known.whole && verb !== 'CREATE' && verb !== 'GRANT') where = false
  }
  return {
    word: (word, text, end) => {
      words += 1
      names.word(word, before, verb)
      if ((verb === 'CREATE' || verb === 'ALTER' || verb === 'SET') && words < 8 && RUNNING_OBJECTS.has(word))
        scan.acts.add(RUNS_LATER)
      if (words === 2 && WHO_MAY.has(word)) {
        if (verb === 'CREATE') scan.acts.add(GRANT_WORD)
        else if (verb === 'ALTER') account = 'altered'
      } else if (account !== '' && OF_PASSWORD.test(word)) account = 'password'
      else if (account !== '' && OF_RIGHTS.test(word)) scan.acts.add(GRANT_WORD)
      if (
        (verb === 'CREATE' && before === 'REPLACE' && word === 'TABLE') ||
        (verb === 'INSERT' && word === 'OVERWRITE')
      )
        scan.acts.add(WRITES_OVER)
      if (words === 2 && ((verb === 'ALTER' && word === 'SYSTEM') || verb === 'RENAME'))
        scan.acts.add(WRITES_OVER)
      if (words === 2 && verb === 'SET' && word === 'PASSWORD') scan.acts.add(GRANT_WORD)
      const known = SQL_WORDS.get(word)
      const first = before === ';'
      if (first) {
        verb = word
        if (known?.counts === 'first' || known?.counts === 'anywhere') scan.known = true
        else scan.unknown = true
      }
      // Models write `execute[SELECT …]` when they mean a tool name; no server has such a procedure.
      const isNoise = word === 'EXECUTE' && /^\[\s*select/i.test(text.slice(end, end + 16))
      if (isNoise) scan.known = true
      else if (known) take(word, known, nextIs(text, end, 40))
      else if (word === 'WHERE') where ||= !HOLDS_ALWAYS.test(text.slice(end, end + 32))
      else if (word === 'INTO' && (verb === 'SELECT' || verb === 'WITH')) scan.into = true
      else noteName(word, scan)
      before = word
    },
    quoted: (name, inner) => {
      // Some dialects read a table from a file or URL in a string.
      if (before === 'FROM' || before === 'JOIN' || name !== undefined)
        if (inner.includes('://')) scan.acts.add(REACHING_CALL)
        else if (name === undefined) scan.acts.add(UNKNOWN_CALL)
      if (name === undefined) names.forget()
      else names.word(name, before, verb)
      before = ''
    },
    separator: (code, at) => {
      names.separator(code)
      if (code === 59) {
        close()
        before = ';'
      } else if (code === 61 && verb === 'PRAGMA') scan.into = true
      else if (code === 40 && before === ';') before = ';'
      else if (code > 32 || code === 0) before = code === 0 ? '' : String.fromCharCode(code)
      return at + 1
    },
    end: close,
  }
}

/** A condition that every row meets. */
const HOLDS_ALWAYS = longPattern('scan.HOLDS_ALWAYS')

/** Whether the next non-blank character is `code`; looks at most 8 characters ahead. */
function nextIs(text: string, at: number, code: number): boolean {
  let i = at
  while (i < at + 8 && text.charCodeAt(i) <= 32) i += 1
  return text.charCodeAt(i) === code
}

/** After these words, a name with parentheses is no call: a table with its columns, or an alias. */
const NO_CALL_AFTER = readSet('sql', 'noCallAfter')

interface Names {
  word(word: string, before: string, verb: string): void
  separator(code: number): void
  forget(): void
}

/** Tracks qualified names, so that a call is judged by the last part of its name, quoted or not. */
function createNames(scan: SqlScan): Names {
  let name: string | undefined
  let lead = ''
  let dotted = false
  let qualified = false
  let isCall = true
  const forget = (): void => {
    name = undefined
    dotted = false
    qualified = false
  }
  return {
    word: (word, before, verb) => {
      qualified = dotted && name !== undefined
      if (!qualified) {
        lead = before
        isCall = !(NO_CALL_AFTER.has(lead) || (verb === 'CREATE' && lead === 'ON') || lead === 'WITH')
      }
      dotted = false
      name = word
    },
    separator: (code) => {
      if (code === 40) {
        const known = name !== undefined && isCall ? callOf(name, qualified) : undefined
        if (known) scan.acts.add(known)
        forget()
      } else if (code === 46) dotted = true
      // Brackets, quotes and blanks may be part of a name.
      else if (code > 32 && code !== 91 && code !== 93 && code !== 34 && code !== 96) forget()
    },
    forget,
  }
}
