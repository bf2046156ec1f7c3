import { type Act, ACTS, ACT_OF_EFFECT, actSignal } from '@plimsoll/contracts'
import { readTable, longPattern } from '../text/data.js'
import { noteCodeActs } from './code-acts.js'
import {
  type ActedOn,
  type CommandReader,
  type Effects,
  type WrittenScript,
  createEffects,
  labelsOf,
} from './effects.js'
import { readProgramTexts } from './program-texts.js'
import { calledParts } from './scripts-beyond.js'
import { deletesBelowUnset } from './scripts-unset.js'
import { quoted } from './shell/call.js'

/** Scripts that one step reports as written, and as run. */
const SCRIPTS_MAX = 4
/** Things that one step reports as made. */
const MADE_MAX = 8
const PATH_MAX = 512
/** Longer texts are read by their beginning, in characters. */
const TEXT_MAX = 16_384

/** For the ending of a file's name: the words before its text with which the shell runs such a text; `code` for programs. */
const ENDINGS: ReadonlyMap<string, readonly string[]> = new Map(
  readTable<readonly { names: string; run: string }[]>('shell', 'scripts').flatMap(({ names, run }) =>
    names.split(' ').map((name): [string, string[]] => [name, run === '' ? [] : run.split(' ')]),
  ),
)

/** Files of targets, whose lines are commands. */
const TARGETS = longPattern('scripts.TARGETS')
const ENDING = /\.(\w{1,8})$/
const ENDING_UNITS_MAX = 9

const nameOf = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'), path.length - PATH_MAX - 1) + 1)

/**
 * Records what a script does that a step writes, so that it counts when a later step runs it: as much as if its text was given to the shell
 * then. A text of no known kind of script is not recorded.
 *
 * @param isWhole whether the text is all of the file; a part of one adds to what is known of the rest
 * @param read reads a command line into the given effects
 * @param counts of a script of somebody else: which effects count
 */
export function noteScript(
  path: string,
  text: string,
  isWhole: boolean,
  effects: Effects,
  read: CommandReader,
  counts?: (object: ActedOn, isCode: boolean) => boolean,
): void {
  const name = nameOf(path)
  const beginning = text.slice(0, TEXT_MAX)
  const countsOf = (isCode: boolean) => counts && ((object: ActedOn) => counts(object, isCode))
  if (TARGETS.test(name)) {
    for (const [target, command] of targetsOf(name, beginning))
      note(targetName(name, target), command, false, effects, read, countsOf(false))
    return
  }
  const kind = kindOf(name, beginning)
  if (kind === undefined) return
  if (kind !== 'code') {
    const command = kind(counts ? calledParts(beginning) : beginning)
    return note(scriptName(name), command, isWhole, effects, read, countsOf(false))
  }
  const readCode: CommandReader = (text, own) => {
    noteCodeActs(text, own)
    readProgramTexts(text, own, undefined, read, false)
  }
  note(scriptName(name), beginning, isWhole, effects, readCode, countsOf(true))
}

function note(
  name: string,
  command: string,
  isWhole: boolean,
  { scripts, made }: Effects,
  read: CommandReader,
  counts?: (object: ActedOn) => boolean,
): void {
  if (scripts.length >= SCRIPTS_MAX) return
  const own = createEffects()
  read(command, own)
  const isFinal = labelsOf(own).reversibility === 'irreversible'
  // What it takes if the variable is empty nobody means.
  const isUnset = !counts && own.signals.doesDelete === 1 && deletesBelowUnset(command)
  const named = counts ? own.objects.filter(counts) : own.objects
  const objects = isUnset ? [...named, NOBODY_MEANS] : named
  const isDone = (act: Act): boolean =>
    own.signals[actSignal('does', act)] === 1 &&
    (!counts || objects.some((object) => ACT_OF_EFFECT[object.act] === act))
  const does = isFinal ? ACTS.filter(isDone) : []
  if (does.length > 0 || isWhole) scripts.push({ name, does, objects })
  if (does.length > 0) forgetClean(name, scripts)
  else if (isWhole && name.endsWith(QUERIES) && made.length < MADE_MAX) made.push(cleanName(name))
  if (does.length > 0 && !/dry|what-?if|simulat|preview/i.test(command) && scripts.length < SCRIPTS_MAX)
    scripts.push({ name: untried(name), does, objects })
}

const NOBODY_MEANS: Pick<ActedOn, 'names' | 'own' | 'act'> = { act: 'delete', names: [], own: [] }

/** How a script is read: as code, or as the command line that does the same; undefined for other files. */
function kindOf(name: string, text: string): 'code' | ((text: string) => string) | undefined {
  const ending = ENDING.exec(name)?.[1]?.toLowerCase()
  const words = ending === undefined ? undefined : ENDINGS.get(ending)
  if (words?.[0] === 'code') return 'code'
  if (words && words.length > 0) return (given) => quoted([...words, given])
  if (words ?? (ending === undefined && /^#!.{0,64}sh\b/.test(text))) return (given) => given
  return ending === undefined && /^#!.{0,64}(?:python|node|ruby|perl)/.test(text) ? 'code' : undefined
}

/** Names and commands of a Makefile's recipes, or of the scripts of a manifest. */
function targetsOf(name: string, text: string): Map<string, string> {
  const targets = new Map<string, string>(name === 'package.json' ? scriptsOf(text) : [])
  if (targets.size > 0) return targets
  let target = ''
  for (const line of text.split('\n')) {
    if (line.length > LINE_MAX) continue
    const [, script, command] = (name === 'package.json' && SCRIPT.exec(line)) || []
    if (script !== undefined && command !== undefined) targets.set(script, command.replaceAll(/\\(.)/g, '$1'))
    else if (name !== 'package.json' && /^(?:\t| {2})/.test(line) && target !== '')
      targets.set(target, `${targets.get(target) ?? ''}${recipeOf(line)}\n`)
    else target = HEAD.exec(line)?.[1] ?? target
    if (targets.size >= TARGETS_MAX) break
  }
  return targets
}
/** The scripts of a whole manifest; none of a part, or of a longer text than is read. */
function scriptsOf(text: string): [string, string][] {
  try {
    const { scripts } = JSON.parse(text) as { scripts?: unknown }
    if (typeof scripts !== 'object' || scripts === null) return []
    return Object.entries(scripts)
      .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
      .slice(0, MANIFEST_MAX)
  } catch {
    return []
  }
}

/** Scripts of one manifest. */
const MANIFEST_MAX = 1_024
const LINE_MAX = 1024
const TARGETS_MAX = 32
const SCRIPT = longPattern('scripts.SCRIPT')
const HEAD = longPattern('scripts.HEAD')

const recipeOf = (line: string): string =>
  line
    .trim()
    .replace(/^[@-]{1,2}/, '')
    .replaceAll('$(RM)', 'rm -f')
    .replaceAll('$$', '$')

/** Files that are given to a database. */
const QUERIES = '.sql'

/**
 * The name under which such a file is the session's own once it has written all of it and the text does nothing irreversible: what a database
 * runs from such a file is known.
 */
export const cleanScript = (path: string): string => cleanName(scriptName(nameOf(path)))
const cleanName = (name: string): string => `ownthing:clean:${name}`

/** Records that nobody knows any more what a script does. */
export function noteRewritten(path: string, { scripts }: Effects): void {
  if (isScript(path)) forgetClean(scriptName(nameOf(path)), scripts)
}

function forgetClean(name: string, scripts: WrittenScript[]): void {
  if (name.endsWith(QUERIES) && scripts.length < SCRIPTS_MAX)
    scripts.push({ name: cleanName(name), does: [], objects: [] })
}

/** Records that a script comes from the network: what it does is not known. */
export function noteFetched(path: string, { scripts }: Effects): void {
  if (scripts.length < SCRIPTS_MAX && (isScript(path) || /^[^.]{1,64}$/.test(nameOf(path))))
    scripts.push({ name: scriptName(nameOf(path)), does: ['delete'], objects: [{ names: [], own: [] }] })
  forgetClean(scriptName(nameOf(path)), scripts)
}

/**
 * Records that a command runs the file `path`, or a target of it.
 *
 * @param isTrial whether it asks the script only to say what it would do: that counts for scripts that know no such option
 */
export function noteRun(path: string, { runs, runFiles }: Effects, target?: string, isTrial = false): void {
  const name = nameOf(path)
  if (runs.length >= SCRIPTS_MAX || name === '' || name.length > 128) return
  const whole = target === undefined ? scriptName(name) : targetName(name, target)
  const known = isTrial ? untried(whole) : whole
  if (runs.includes(known)) return
  runs.push(known)
  // A word for a target, such as `build`, says nothing of what it does.
  runFiles.push(target === undefined ? namesOfScript(path.slice(-PATH_MAX).replace(/^\.\//, ''), name) : [])
}

/** A task that says to deploy means the script of that name. */
const namesOfScript = (path: string, name: string): string[] => [
  ...new Set([path, name, ...(/^(?:deploy|publish|release)(?=\.\w{1,8}$)/.exec(name) ?? [])]),
]

/** The name of a script that has no option to say only what it would do. */
const untried = (name: string): string => `${name}:untried`

/** Whether a word may name a script that a command runs. */
export function isScript(path: string): boolean {
  const dot = path.lastIndexOf('.')
  if (dot < 0 || path.length - dot > ENDING_UNITS_MAX || path.length > PATH_MAX) return false
  return ENDINGS.has(path.slice(dot + 1).toLowerCase())
}

/** Whether a path is that of a script or of a file of targets, by its name. */
export const isNamedScript = (path: string): boolean =>
  isScript(path) || (/(?:file|json)$/.test(path) && TARGETS.test(nameOf(path)))

/** Whether only its first line shows whether a file is a script, as its name has no ending. */
export const mayBeScript = (path: string): boolean => /^[\w-]{1,64}$/.test(nameOf(path))

/** The name under which a script is known, which no text has. */
const scriptName = (name: string): string => `script:${name.toLowerCase()}`
const targetName = (name: string, target: string): string => `${scriptName(name)}:${target}`
