import type { ClaimedLabels } from '@plimsoll/contracts'
import { type Effects, does, raise, signal, mentionsDeletion, unreadable } from './effects.js'
import { pathKindOf } from './paths.js'
import { mayAct, noteCodeActs } from './code-acts.js'
import { noteFilesOfProgram } from './edited-files.js'
import { understandPython } from './understood-code.js'
import { type Words, byWord, patternOf, readSet, readTable, longPattern } from '../text/data.js'

/** Longer programs are not read, in characters. */
const TEXT_MAX = 262_144
/** Limits for strings that are read as paths: count and length in characters. */
const STRINGS_MAX = 256
const STRING_LENGTH_MAX = 256

/** Minimum labels of any program: its text does not show everything it does. */
const RUNS: ClaimedLabels = {
  capability: 'execute',
  confidentiality: 'internal',
  trust: 'untrusted',
  reversibility: 'partial',
}

interface CodeWord {
  readonly labels: ClaimedLabels
  readonly reason: string
}

const ENVIRONMENT = 'code that reads the environment or a store of keys'
const WORDS = byWord(
  readTable<readonly (CodeWord & { names: Words })[]>('code', 'words').map(
    (row) => [row.names, row] as const,
  ),
)

/** Calls that delete a whole table or database. */
const TAKES_ALL = readSet('code', 'takesAll')

/** Methods that send, if the program also uses a network library. */
const SENDING = readSet('code', 'sending')

/** Calls that pass text to a shell, another program or a database. */
const RUNS_TEXT = readSet('code', 'runsText')
/** Methods of cloud services that delete something there. */
const DELETES_REMOTELY = longPattern('code.DELETES_REMOTELY')
/** Libraries of clouds, containers and stores of data. */
const REMOTE = longPattern('code.REMOTE')

/** Calls that run text, or look up a function by name. */
const MAKES_CODE = readSet('code', 'makesCode')
/** Characters of a call's arguments that are read. */
const CALL_MAX = 200
/** Text that is decoded, reversed, or built from characters or parts. */
const PUT_TOGETHER = longPattern('code.PUT_TOGETHER')

const isPutTogether = (call: string): boolean => PUT_TOGETHER.test(call)

/** A program that hides what it runs may do anything, including deletion. */
function hidden(effects: Effects): void {
  raise(effects, { capability: 'execute', reversibility: 'irreversible' }, 'code that hides what it runs')
  does(effects, 'delete')
}

const WORD = /[A-Za-z_][A-Za-z0-9_]*/y

/**
 * Reads a program by its words: libraries, deletions and paths in strings. Finds only what the program shows openly; any program has at
 * least the labels of code.
 */
export function readCode(
  text: string,
  effects: Effects,
  language: 'python' | 'other' = 'python',
  keepsNames = false,
): void {
  if (text.length > TEXT_MAX) return unreadable(effects, 'a program that is too long to read')
  const understood = language === 'python' ? understandPython(text, keepsNames) : undefined
  raise(effects, RUNS, 'code is run', understood !== undefined)
  if (!understood || understood.writesCode) signal(effects, 'code', 1)
  // A module that the session wrote shadows a known one of the same name.
  if (understood?.imports) signal(effects, 'runner', 1)
  raiseWords(text, effects)
  noteFilesOfProgram(text, effects)
  if (text.includes('__') && CLIMBS.test(text)) hidden(effects)
  if (EMPTIES.test(text)) {
    raise(effects, { capability: 'write', reversibility: 'irreversible' }, 'files are emptied')
    does(effects, 'delete')
  }
}

/**
 * Files that only the run names are opened to write, and closed again: `for f in glob('data/*'): open(f, 'w').close()`; or something that is no
 * database takes the place of one.
 */
const EMPTIES = patternOf(readTable<string>('code', 'empties'))
/** Climbs from a plain value to every class or name of the interpreter: nobody who knows what he needs does that. */
const CLIMBS = patternOf(readTable<string>('code', 'climbs'))

/** Raises by words only, for an argument that may not be a program. */
export function raiseWords(text: string, effects: Effects): void {
  if (text.length > TEXT_MAX) return
  let network = false
  let sends = false
  let deletes = false
  let runs = false
  let strings = 0
  let acts = false
  for (let i = 0; i < text.length;) {
    const code = text.charCodeAt(i)
    if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95) {
      WORD.lastIndex = i
      const word = WORD.exec(text)?.[0] ?? ''
      i += Math.max(1, word.length)
      const known = word.length <= 32 ? WORDS.get(word) : undefined
      if (known) raise(effects, known.labels, known.reason)
      if (TAKES_ALL.has(word)) does(effects, 'delete')
      if (MAKES_CODE.has(word) && text[i] === '(' && isPutTogether(text.slice(i, i + CALL_MAX)))
        hidden(effects)
      runs ||= RUNS_TEXT.has(word)
      acts ||= mayAct(word)
      network ||= known?.labels.capability === 'network'
      sends ||= SENDING.has(word)
      if (word === 'env' && text[i - 4] === '.')
        raise(effects, { confidentiality: 'credentials' }, ENVIRONMENT)
      deletes ||= word === 'remove' && text.slice(Math.max(0, i - 9), i - 6) === 'os.'
    } else if ((code === 39 || code === 34) && strings < STRINGS_MAX) {
      strings += 1
      i = raiseString(text, i, effects)
    } else i += 1
  }
  if (acts) noteCodeActs(text, effects, true)
  if (network && sends && !reachesOnlyHere(text))
    raise(effects, { reversibility: 'irreversible' }, 'code that can send')
  if (deletes) raise(effects, { reversibility: 'irreversible' }, 'code that deletes')
  if (
    (runs && mentionsDeletion(text.replaceAll(ENDS_OWN, ''))) ||
    ((network || REMOTE.test(text)) && DELETES_REMOTELY.test(text))
  ) {
    raise(effects, { reversibility: 'irreversible' }, 'code that has something taken away')
    does(effects, 'delete')
  }
}

/** Ends of a program that it started itself. */
const ENDS_OWN = longPattern('code.ENDS_OWN')

/** Whether every URL of a program is of this machine, and there is one. */
function reachesOnlyHere(text: string): boolean {
  const urls = [...text.matchAll(/https?:\/\/([^/\s"'`:]{0,100})/g)]
  return (
    urls.length > 0 &&
    urls.every(([, host = '']) => /^(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])$/.test(host))
  )
}

/** Reads a string as a path. Returns the index right after the quote, so that the words inside are read too. */
function raiseString(text: string, at: number, effects: Effects): number {
  const end = text.slice(at + 1, at + 1 + STRING_LENGTH_MAX).indexOf(text.charAt(at))
  if (end > 2) {
    const path = text.slice(at + 1, at + 1 + end)
    const kind = path.includes('/') || path.includes('.') ? pathKindOf(path) : undefined
    if (kind && kind.name !== 'a path on another host')
      raise(effects, kind.reads, `code that names ${kind.name}`)
    if (kind?.writes.capability === 'execute') raise(effects, {}, `code that names ${kind.name}`)
  }
  return at + 1
}
