import { type Act, nameBehindServer } from '@plimsoll/contracts'
import { readByWord, readSet, longPattern } from '../text/data.js'
import { keptByName } from '../text/kept.js'
import { isOfDatabase } from '../tools/by-name.js'
import { actionOfVerb } from '../tools/heuristics/actions.js'
import { valuesOf } from '../tools/values.js'
import { areTurnTexts, isTurnEnd } from '../tools/turn-end.js'
import { wordsOf } from '../tools/words-of.js'
import { type Call, type Effects, createEffects, does, raise, signal } from './effects.js'
import { actsOn, actsOnPath } from './objects.js'
import { ownNames } from './shell/own-folders.js'
import { FORBIDDEN_TAGS } from './shell/programs/forbidden.js'
import { quoted } from './shell/call.js'
import { signalPush } from './shell/programs/pushes.js'
import { readShell } from './shell/read-shell.js'

/** What the name of a tool says of how its arguments are read. */
export interface NamedTool {
  /** Whether its queries are SQL. */
  readonly isOfDatabase: boolean
  /** Whether it presses elements of a page. */
  readonly presses: boolean
  /** The git command that it is: `git_push` is `push`. Undefined if none. */
  readonly git: string | undefined
  /** The program that it is, if it makes requests and takes its words in `args`: `curl`. */
  readonly fetches: string | undefined
  readonly destroys: boolean
  /** Whether it makes what was not there. */
  readonly creates: boolean
  /** Whether it deletes files or folders. */
  readonly deletesFiles: boolean
  /** Whether it fetches files to this host. */
  readonly saves: boolean
  /** Whether they are a copy of a repository, or what is new in one. */
  readonly clones: boolean
  /** Whether it moves or copies files, or makes folders. */
  readonly moves: boolean
  /** Whether it reads or lists files, and writes none. */
  readonly looks: boolean
  /** Whether it looks up names of hosts. */
  readonly resolves: boolean
  /** Whether it makes a repository. */
  readonly makesRepository: boolean
  /** Whether it ends the agent's turn. */
  readonly endsTurn: boolean
}

export const namedTool = keptByName(readName)

function readName(tool: string): NamedTool {
  const words = wordsOf(nameBehindServer(tool))
  const [first, ...command] = words
  return {
    isOfDatabase: isOfDatabase(tool),
    presses: words.some((word) => PRESS_VERBS.has(word)),
    git: first === 'git' && command.length > 0 ? command.join('-') : undefined,
    fetches: FETCHES.has(tool) ? tool : undefined,
    destroys: words.some((word) => actionOfVerb(word) === 'destroy'),
    creates: words.some((word) => word === 'create' || word === 'new'),
    deletesFiles:
      DELETES_FILES.has(tool) ||
      (words.some((word) => DELETES.has(word)) && words.some((word) => FILES.has(word))),
    saves: words.some((word) => SAVES.has(word)),
    clones: words.includes('clone') || (first === 'git' && command.includes('pull')),
    moves:
      words.some((word) => MOVES.has(word)) ||
      (words.some((word) => MAKES.has(word)) && FOLDERS.has(words.at(-1) ?? '')),
    looks:
      LOOKS.has(first ?? '') &&
      words.slice(1).every((word) => OF_FILES.has(word)) &&
      (words.length > 1 || LISTS.has(first ?? '')),
    // A list of the records of a zone comes from an account.
    resolves:
      words.some((word) => RESOLVES.has(word)) && !(first === 'list' && ZONES.has(words.at(-1) ?? '')),
    makesRepository: words.some((word) => MAKES.has(word)) && words.some((word) => REPOSITORIES.has(word)),
    endsTurn: isTurnEnd(tool),
  }
}

const SAVES: ReadonlySet<string> = new Set('download save clone checkout'.split(' '))
const RESOLVES: ReadonlySet<string> = new Set('dns nslookup dig whois ping traceroute'.split(' '))
const ZONES: ReadonlySet<string> = new Set('records record zones zone domains'.split(' '))
/** Tools that look at files, as `list_directory` and `read_text_file`; a name with any other word may do more. */
const LOOKS: ReadonlySet<string> = new Set('list ls read view show cat tree stat glob find search'.split(' '))
const LISTS: ReadonlySet<string> = new Set('ls cat tree stat glob'.split(' '))
const OF_FILES = readSet('tools', 'wordsOfFiles')
/** Arguments that may say where a tool puts something. */
const PUTS = longPattern('by-tool-name.PUTS')
const MOVES: ReadonlySet<string> = new Set('move copy rename mkdir mv cp'.split(' '))
const FOLDERS: ReadonlySet<string> = new Set('dir directory folder'.split(' '))
const MAKES: ReadonlySet<string> = new Set('create make new init'.split(' '))
const REPOSITORIES: ReadonlySet<string> = new Set(['repo', 'repository'])
const DELETES: ReadonlySet<string> = new Set('delete remove unlink trash erase rm'.split(' '))
/** Tools of clients whose names do not say what they delete: Cursor's. */
const DELETES_FILES: ReadonlySet<string> = new Set(['Delete'])
const FILES: ReadonlySet<string> = new Set('file directory folder dir path'.split(' '))
const FETCHES: ReadonlySet<string> = new Set(['curl', 'wget'])

/** Tools that press elements of a page, by a word of their name. */
const PRESS_VERBS: ReadonlySet<string> = new Set(['click', 'press', 'tap', 'dblclick', 'submit'])

/** Reads the arguments of a tool whose name says what they mean. */
export function readByToolName(tool: NamedTool, args: Readonly<Record<string, unknown>>, call: Call): void {
  if (tool.presses) noteClick(args, call)
  if (tool.endsTurn && !call.worst && !areTurnTexts(Object.keys(args))) {
    raise(call.effects, { reversibility: 'irreversible' }, 'it hands in more than words about the work')
    does(call.effects, 'publish')
  }
  if (tool.moves && call.worst?.capability === 'write') noteMoved(args, call.effects)
  if (tool.looks && call.worst?.capability === 'read' && !Object.keys(args).some((name) => PUTS.test(name)))
    signal(call.effects, 'readsFile', 1)
  if (tool.deletesFiles) noteDeletedFiles(args, call.effects)
  if (tool.makesRepository) noteRepository(args, call.effects)
  if (tool.git !== undefined) readGitWords(tool.git, args, call)
  if (tool.git === 'push') {
    signalPush(call.effects)
    signal(call.effects, 'outside', 1)
  }
  if (tool.fetches !== undefined && Array.isArray(args['args']))
    readShell(
      quoted([tool.fetches, ...args['args'].slice(0, 64).map(String)]),
      call.effects,
      call.organisation,
    )
  if (deletesPlimsoll(tool, args, call.effects))
    raise(call.effects, { tags: [FORBIDDEN_TAGS.plimsoll] }, 'a step that takes Plimsoll away')
}

/** Records that files are moved or copied within one place, or brought from another, where they may hold anything. Downloads hold what the session fetched. */
function noteMoved(args: Readonly<Record<string, unknown>>, effects: Effects): void {
  if (namesOnly(args)) return signal(effects, 'moves', 1)
  const places = new Set(Object.values(args).flatMap((value) => rootOf(value)))
  const isFetched = Object.entries(args).some(
    ([name, value]) => OF_SOURCES.test(name) && typeof value === 'string' && DOWNLOADS.test(value),
  )
  if (places.size > 1 && !isFetched) signal(effects, 'takesAll', 1)
}
const OF_SOURCES = /source|src|^from/i
const DOWNLOADS = longPattern('by-tool-name.DOWNLOADS')

/** Whether the arguments are paths within one place and switches: no text that a file could take up, and no file from elsewhere. */
const namesOnly = (args: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(args).every(
    ([name, value]) =>
      typeof value === 'boolean' ||
      (typeof value === 'string' && value.length <= NAME_MAX && !/\s/.test(value) && OF_PATHS.test(name)),
  ) && new Set(Object.values(args).flatMap((value) => rootOf(value))).size <= 1
const NAME_MAX = 256
const OF_PATHS = longPattern('by-tool-name.OF_PATHS')

/** The place of an absolute path: its first folder, with the two below those of users. */
const rootOf = (value: unknown): readonly string[] => {
  const found = typeof value === 'string' ? ROOT.exec(value)?.[0] : undefined
  return found === undefined ? [] : [found]
}
const ROOT = longPattern('by-tool-name.ROOT')

/** The task asks for a repository that it names. */
function noteRepository(args: Readonly<Record<string, unknown>>, effects: Effects): void {
  const [name, ...others] = Object.entries(args)
    .filter(([key]) => REPOSITORY_NAMES.test(key))
    .map(([, value]) => value)
  if (typeof name !== 'string' || name === '' || name.length > VALUE_MAX || others.length > 0) return
  const last = name.slice(name.lastIndexOf('/') + 1)
  actsOn(effects, 'publish', { kind: 'record', byName: true, names: [name, last], thing: name })
}

const REPOSITORY_NAMES = longPattern('by-tool-name.REPOSITORY_NAMES')

/** Records what a tool that deletes files takes away, where its arguments have paths. Elsewhere a file has an id. */
function noteDeletedFiles(args: Readonly<Record<string, unknown>>, effects: Effects): void {
  const paths = Object.entries(args)
    .filter(([name]) => FILE_NAMES.test(name))
    .flatMap(([, value]) => valuesOf(value).scalars)
    .filter((value) => typeof value === 'string' && value !== '' && value.length <= VALUE_MAX)
  for (const path of paths.slice(0, FILES_MAX).map(String)) {
    raise(effects, { capability: 'write', reversibility: 'irreversible' }, 'files are deleted')
    does(effects, 'delete')
    actsOnPath(effects, 'delete', path, ownNames(path, effects))
  }
}
const FILE_NAMES = longPattern('by-tool-name.FILE_NAMES')
const FILES_MAX = 8

/** Arguments that name the pressed element, by text or selector. */
const ELEMENT_NAMES = longPattern('by-tool-name.ELEMENT_NAMES')
const ELEMENT_MAX = 256

/** Irreversible acts by the text of a button. Words that are as often nouns (`post`, `order`, `message`) are left out. */
export const ACT_OF_BUTTON_WORD = readByWord<Act>('arguments', 'pressed')

/**
 * Records the act of a click by the words of the pressed element: `Delete account`, `#pay-now`. A lower bound, because a click at screen
 * coordinates shows no words. Linear in texts of at most `ELEMENT_MAX` characters.
 */
function noteClick(args: Readonly<Record<string, unknown>>, call: Call): void {
  if (!call.worst) return
  for (const name in args) {
    const text = args[name]
    if (typeof text !== 'string' || !ELEMENT_NAMES.test(name)) continue
    const words = wordsOf(text.slice(0, ELEMENT_MAX))
    for (const word of words) {
      const act = ACT_OF_BUTTON_WORD.get(word) ?? actOfPair(word, words)
      if (!act) continue
      raise(
        call.effects,
        { reversibility: 'irreversible' },
        'it presses what says that it cannot be taken back',
      )
      does(call.effects, act)
    }
  }
}

/** What two words of a button do: `Close account`, `Cancel subscription`, `Place order`. */
const actOfPair = (word: string, words: readonly string[]): Act | undefined =>
  PAIRS.find(({ verbs, things }) => verbs.has(word) && words.some((other) => things.has(other)))?.act

const pair = (act: Act, verbs: string, things: string) => ({
  act,
  verbs: new Set(verbs.split(' ')),
  things: new Set(things.split(' ')),
})
const PAIRS = [
  pair(
    'delete',
    'close cancel deactivate end leave terminate',
    'account subscription membership contract workspace organisation organization tenant',
  ),
  pair('pay', 'place submit confirm complete', 'order booking reservation payment'),
  pair('send', 'post publish submit', 'reply response message comment review answer tweet'),
]

/** Reads git tools as command lines: `git_push { args: ['--force'] }` is `git push --force`. */
function readGitWords(
  command: string,
  args: Readonly<Record<string, unknown>>,
  { effects, organisation }: Call,
): void {
  const words = ['args', 'arguments', 'flags', 'options', 'refspec', 'branch'].flatMap((name) =>
    Object.hasOwn(args, name) ? valuesOf(args[name]).scalars.slice(0, 32).map(String) : [],
  )
  const plain = words
    .flatMap((word) => word.split(/\s+/))
    .filter((word) => /^[\w./:=@%+,-]{1,256}$/.test(word))
  if (plain.length === 0) return
  const own = createEffects()
  readShell(['git', command, 'origin', ...plain].join(' '), own, organisation)
  if (own.signals['doesOverwrite'] === undefined && own.signals['doesDelete'] === undefined) return
  raise(effects, { capability: 'write', reversibility: 'irreversible' }, '`git` that throws work away')
  does(effects, 'overwrite')
}

/** Arguments of one call that are read, and the longest that is read for the name, in characters. */
const ARGUMENTS_MAX = 256
const VALUE_MAX = 4096

/** Whether a tool deletes, by its name or arguments, and its arguments name Plimsoll. */
function deletesPlimsoll(
  tool: NamedTool,
  args: Readonly<Record<string, unknown>>,
  { signals }: Effects,
): boolean {
  if (signals['doesDelete'] === undefined && !tool.destroys) return false
  return Object.values(args)
    .slice(0, ARGUMENTS_MAX)
    .some((value) => typeof value === 'string' && value.length <= VALUE_MAX && PLIMSOLL.test(value))
}

const PLIMSOLL = longPattern('by-tool-name.PLIMSOLL')
