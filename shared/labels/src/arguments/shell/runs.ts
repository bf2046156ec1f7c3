import { longPattern } from '../../text/data.js'
import { isScript, noteRun } from '../scripts.js'
import { type Call, type ShellContext, operandsOf } from './call.js'
import type { CommandKind } from './programs/commands.js'
import { noteDeployment, noteEnding, noteLiveOption, noteScriptName, noteSending } from './programs/live.js'
import { isTester } from './programs/runners.js'
import { isTrial, onlyChecks } from './programs/looks.js'
import { programsThat } from './programs/command-table.js'

/** Words of a command that are sought for scripts. */
const WORDS_MAX = 256
/** Commands that look at scripts. */
const NOT_RUNNING = programsThat('runs-no-script')
/** Programs whose words are read for themselves. */
const CLOUDS = programsThat('platform')
const RUNS_NOTHING: ReadonlySet<string> = new Set(['read', 'write'])
const MAKES = /^(?:g?make|just|task|rake)$/
const LAUNCHES = /^(?:npx|bunx|pnpx|uvx)$/
/** Programs that run tasks of a project by their names. */
const TASKS_OF = longPattern('runs.TASKS_OF')
/** Programs that run a file of a project. */
const INTERPRETS = longPattern('runs.INTERPRETS')
const SCRIPTED = /^(?:npm|yarn|pnpm|bun)$/

/**
 * Records the scripts that a command runs: itself, a target, or what a program is given that is not known only to read or write files; and
 * whether one makes work live, by its name.
 */
export function noteRuns(call: Call, kind: CommandKind | undefined, context: ShellContext): void {
  const { effects } = context
  const { name, args } = call
  if (
    args.some((arg) => arg === '--help' || arg === '-h') ||
    NOT_RUNNING.has(name) ||
    isTested(call) ||
    onlyChecks(call)
  )
    return
  const tries = isTrial(call)
  const [first = '', second = ''] = operandsOf(call)
  const target = first === 'run' || first === 'run-script' ? second : first
  if (MAKES.test(name)) {
    noteDeployment(first, call, effects)
    noteSending(first, call, effects)
    noteEnding(first, call, context)
    return noteRun(name === 'just' ? 'justfile' : 'Makefile', effects, first, tries)
  }
  if (SCRIPTED.test(name)) {
    // Only npm needs `run` before a script's name.
    if (target !== first || name !== 'npm') {
      noteDeployment(target, call, effects)
      noteSending(target, call, effects)
      noteEnding(target, call, context)
    }
    return noteRun('package.json', effects, target, tries)
  }
  const isFile = name.includes('/') || isScript(name)
  const file = isFile
    ? name
    : INTERPRETS.test(name) && isScript(first) && args[0] === first
      ? first
      : /^(?:npx|bunx|pnpx)$/.test(name) && INTERPRETS.test(first) && isScript(second)
        ? second
        : undefined
  if (file !== undefined) {
    noteDeployment(file, call, effects)
    noteSending(file.replace(/\.\w{1,4}$/, ''), call, effects, file)
    noteScriptName(file, call, context)
  }
  if (TASKS_OF.test(name)) noteSending(/^(?:php|python\d?)$/.test(name) ? second : first, call, effects)
  if (isFile || (!kind && /^(?:deploy|publish|release)$/.test(first) && !CLOUDS.has(name)))
    noteDeployment(first, call, effects)
  if (isFile) noteRun(name, effects, undefined, tries)
  if (!kind || kind.labels.capability === 'execute' || LAUNCHES.test(name)) noteLiveOption(call, effects)
  if (kind && RUNS_NOTHING.has(kind.labels.capability ?? 'execute')) return
  for (const arg of args.slice(0, WORDS_MAX)) if (isScript(arg)) noteRun(arg, effects, undefined, tries)
}

/** Whether a command tests or checks files: what a test deletes is what it made. */
const isTested = ({ name, args }: Call): boolean =>
  isTester(name) || (/^python[23]?$/.test(name) && args[0] === '-m' && isTester(args[1] ?? ''))
