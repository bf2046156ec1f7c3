import type { ClaimedLabels } from '@plimsoll/contracts'
import { type Effects, does, raise, signal, takesAway, unreadable } from './effects.js'
import { pathKindOf } from './paths.js'
import { understandPython } from './understood-code.js'
import { type Words, byWord, readSet, readTable } from '../text/data.js'

/** Characters of a program that are read. */
const TEXT_MAX = 262_144
/** Strings of a program that are looked at as paths, and their length. */
const STRINGS_MAX = 256
const STRING_LENGTH_MAX = 256

/** Any program at all: what it does beyond the words below nobody can tell from its text. */
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

const TAKES = /\b(?:unlink|unlinkSync|rmSync|rmdirSync|File\.delete|FileUtils\.rm\w{0,16}|Deno\.remove)\b/

/** Calls that take away a whole tree or table. */
const TAKES_ALL = readSet('code', 'takesAll')

/** Methods that send, where a library of the network is there too. */
const SENDING = readSet('code', 'sending')

/** What hands a text to a shell, another program or a database. */
const RUNS_TEXT = readSet('code', 'runsText')
/** Methods of a service that take something away there. */
const TAKES_REMOTELY = /\.\s*(?:delete|terminate|destroy|purge)_\w{1,64}\s*\(/

/** What runs a text, or finds a function by its name. */
const MAKES_CODE = readSet('code', 'makesCode')
/** Characters of a call's arguments that are looked at. */
const CALL_MAX = 200
/** A text that is decoded, turned round, or made from letters or parts of words. */
const PUT_TOGETHER =
  /^\([^\n]{0,120}?(?:b(?:64|32|16)decode|fromhex|unhexlify|decompress|rot_?13|atob\(|fromCharCode|Buffer\.from|\bchr\(|\[::-1\]|["']\s*\+\s*["'])/

const isPutTogether = (call: string): boolean => PUT_TOGETHER.test(call)

/** A program that hides what it runs may do anything, deletion among it. */
function hidden(effects: Effects): void {
  raise(effects, { capability: 'execute', reversibility: 'irreversible' }, 'code that hides what it runs')
  does(effects, 'delete')
}

const WORD = /[A-Za-z_][A-Za-z0-9_]*/y

/**
 * What a program does, by the words in it: its libraries, deletions, paths in its strings. This finds what a program shows openly; a
 * program that hides its intent is still code, and counts as such.
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
  // A module that the session wrote goes before one of the same name.
  if (understood?.imports) signal(effects, 'runner', 1)
  raiseWords(text, effects)
  // Of a one-liner that is read by its words alone, a deletion counts whatever it names.
  if (language === 'other' && TAKES.test(text)) does(effects, 'delete')
}

/** Only what a program's words add, for an argument that may be no program. */
export function raiseWords(text: string, effects: Effects): void {
  if (text.length > TEXT_MAX) return
  let network = false
  let sends = false
  let deletes = false
  let runs = false
  let strings = 0
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
  if (network && sends) raise(effects, { reversibility: 'irreversible' }, 'code that can send')
  if (deletes) raise(effects, { reversibility: 'irreversible' }, 'code that deletes')
  if ((runs && takesAway(text)) || (network && TAKES_REMOTELY.test(text))) {
    raise(effects, { reversibility: 'irreversible' }, 'code that has something taken away')
    does(effects, 'delete')
  }
}

/** Looks at a string as a path; its words count too, so reading goes on right behind the quote. */
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
