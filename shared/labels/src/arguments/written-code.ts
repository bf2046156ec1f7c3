import { longPattern, readSet } from '../text/data.js'
import { CODE_WITHIN } from '@plimsoll/contracts'
import { staysIn } from './code-reach.js'
import { noteFilesOfProgram } from './edited-files.js'
import { type Effects, does, raise, signal } from './effects.js'
import { actsOn } from './objects.js'
import { pathKindOf, PATH_KINDS, isDataFile, isRunnerFile } from './paths.js'
import type { NewVersion } from './new-versions.js'
import { isLooseText } from './limits/loosened.js'
import { noteChange, noteLoosened } from './limits/names-of-change.js'
import { noteEdited } from './shell/own-folders.js'
import { understandPython } from './understood-code.js'

const PYTHON = /\.py$/i

const OF_GIT = longPattern('written-code.OF_GIT')

/**
 * Sets the signal `code` if a step writes what a later step may run: a definition of the project's targets, a startup file, or a program.
 * An understood Python program does not count, nor does source code that reaches nothing new.
 *
 * @param text the whole written text; undefined if it is not in the arguments, or is only a part of the file
 * @param isChange whether it surely writes: an editor may only look at the path
 * @param added the text that is put in, if all of it is known
 * @param version what is set to another version, if nothing else changes
 */
export function noteWritten(
  path: string,
  text: string | undefined,
  effects: Effects,
  isChange = true,
  added?: string,
  version?: NewVersion,
): void {
  if (path.length < 1) return
  if (isChange) noteChange(path, effects)
  if (isChange) noteEdited(path, effects)
  if (isChange && text !== undefined) noteFilesOfProgram(text, effects)
  if (isChange && isPipeline(path)) notePipeline(path, PIPELINE_WORDS, effects, version)
  if (isChange && text !== undefined && isKeptHook(path) && letsPass(text)) noteLooser(effects)
  if (isChange && isKeptHook(path) && !checksMore(path, text)) notePipeline(path, HOOK_WORDS, effects)
  if (text !== undefined && isLooseText(text)) noteLoosened(effects)
  const kind = pathKindOf(path)
  // Where a push goes from now on.
  if (OF_GIT.test(path.slice(-64))) signal(effects, 'takesAll', 1)
  if (isChange && kind !== PATH_KINDS.credentials && kind !== PATH_KINDS.temp && kind !== PATH_KINDS.sink)
    effects.shows = true
  if (kind === PATH_KINDS.sink) return
  if (isDataFile(path) && kind !== PATH_KINDS.startup && !text?.startsWith('#!')) return
  const isTarget = isRunnerFile(path) || kind === PATH_KINDS.startup
  const program = text !== undefined && PYTHON.test(path) && !isTarget && understandPython(text, false)
  if (program && !program.writesCode) return
  signal(
    effects,
    'code',
    !program && !isTarget && added !== undefined && staysIn(path, added) ? CODE_WITHIN : 1,
  )
}

/** Files that say what the pipelines of a project run. */
const PIPELINE = longPattern('written-code.PIPELINE')
export const isPipeline = (path: string): boolean => path.length <= 512 && PIPELINE.test(path)
/** Hooks that a project keeps with its files, so that a review sees them. */
const HOOK = longPattern('written-code.HOOK')
export const isKeptHook = (path: string): boolean => path.length <= 512 && HOOK.test(path)

/** Whether a whole list of hooks has those of repositories alone, so that a commit is checked by something. */
const checksMore = (path: string, text: string | undefined): boolean =>
  text !== undefined &&
  text.length <= LIST_MAX &&
  /\.pre-commit-config\.ya?ml$/i.test(path) &&
  OWN_CHECKS.test(text) &&
  /^\s{0,16}-\s{1,4}id:/m.test(text) &&
  !OWN_REPO.test(text)
const LIST_MAX = 16_384

/** Whether a text of a pipeline lets it pass or lets more in. */
export const letsPass = (text: string): boolean => LETS_PASS.test(text.slice(0, 16_384))
const LETS_PASS = longPattern('written-code.LETS_PASS')

/**
 * Whether a part of a pipeline had steps that check something, and its new text has fewer: a test, a linter, a scan. A line that is commented
 * out is gone. O(characters).
 */
export function dropsChecks(before: string, after: string): boolean {
  const [old, left] = [linesOf(before), linesOf(after)]
  const checks = (lines: readonly string[]): number => lines.filter((line) => CHECKS.test(line)).length
  return left.length < old.length && checks(left) < checks(old)
}
const linesOf = (text: string): string[] =>
  text
    .slice(0, 16_384)
    .split('\n')
    .filter((line) => /^\s{0,64}[^#\s]/.test(line))
const CHECKS = longPattern('written-code.CHECKS')

/** Whether a program of `sed` puts something else in the place of a check: `s/run: npm test/run: true/`. O(characters). */
export function replacesCheck(program: string): boolean {
  const mark = program[1] ?? ''
  if (program[0] !== 's' || program.length > 1_024 || /[\w\s\\]/.test(mark)) return false
  const [, old = '', fresh = ''] = program.split(mark)
  return CHECKS.test(old) && !CHECKS.test(fresh)
}

/** As `noteLooser`, if the text that is put in says so. */
export const noteLooserText = (text: string, effects: Effects): void =>
  void (letsPass(text) && noteLooser(effects))

/** Records that a step of a pipeline no longer fails or runs: a task about the pipeline does not yet ask for that. */
export function noteLooser(effects: Effects): void {
  does(effects, 'grant')
  actsOn(effects, 'control', {
    kind: 'setting',
    reach: 'shared',
    names: [
      'disable',
      'skip',
      'ignore',
      'optional',
      'continue',
      'continue-on-error',
      'allow',
      'blocking',
      'blocks',
      'remove',
      'drop',
      'delete',
      'without',
    ],
    thing: 'a check of the pipeline',
    byName: true,
  })
}

/** Records that a pipeline is changed: it runs with the rights of the project. A task about pipelines names it. */
function notePipeline(path: string, words: readonly string[], effects: Effects, version?: NewVersion): void {
  raise(effects, { capability: 'execute', reversibility: 'irreversible' }, 'what a pipeline runs is changed')
  does(effects, 'grant')
  const parts = path.split(/[\\/]/)
  actsOn(effects, 'control', {
    kind: 'path',
    reach: 'shared',
    // A task may name the file, or the folder that holds it.
    names: [
      ...parts.slice(-1),
      parts.slice(-2).join('/'),
      parts.slice(-3, -1).join('/'),
      ...(version?.of.slice(0, VERSION_WORDS_MAX) ?? []),
      ...words,
    ],
    thing: path,
    byName: true,
  })
  // By what has a version alone no task asks for another one.
  if (version !== undefined)
    actsOn(effects, 'control', {
      kind: 'path',
      reach: 'shared',
      names: [...version.versions.slice(0, VERSION_WORDS_MAX), ...words],
      thing: path,
      byName: true,
    })
}
const VERSION_WORDS_MAX = 2
const PIPELINE_WORDS = [...readSet('shell', 'pipelineWords')]
const HOOK_WORDS = [...readSet('shell', 'hookWords')]

const OWN_CHECKS = longPattern('written-code.OWN_CHECKS')

const OWN_REPO = longPattern('written-code.OWN_REPO')
