import { raise, signal } from '../../effects.js'
import { PATH_KINDS, pathKindOf } from '../../paths.js'
import { type Call, type ShellContext, isOpen, restOf } from '../call.js'
import { COMMAND_LABELS } from './commands.js'
import { type Words, patternOf, readSet, readTable, wordsIn, longPattern } from '../../../text/data.js'
import { oneByProgram } from './command-table.js'

/**
 * Runners of the project's own tests, build and lint. `targets`: the first word must match; without it the command's name is the target.
 * `deny`: arguments that make it run something else.
 */
interface Runner {
  readonly targets?: RegExp
  readonly deny?: RegExp
  /** A required option. */
  readonly needs?: string
  /** `any`: no option but those of `deny` changes which code runs. */
  readonly options?: 'any'
}

/** Words in the names of targets: `test`, `lint:fix`, `build-docs`. */
const TARGET_WORD = `(?:${wordsIn(readTable<Words>('shell', 'targetWords')).join('|')})`
const ACTION_WORD = new RegExp(
  `(?:^|[-_:.])(?:${wordsIn(readTable<Words>('shell', 'actionTargets')).join('|')})(?:$|[-_:.])`,
)
const TARGET = new RegExp(`^${TARGET_WORD}(?:[-_:.]${TARGET_WORD}){0,4}$`)

/** Whether a target tests, builds, checks or starts the project, by its name. */
export const isPlainTarget = (name: string): boolean =>
  name.length <= 64 && TARGET.test(name) && ACTION_WORD.test(name)

/** Options that do not change which code runs. */
const PLAIN_OPTION = patternOf(readTable<string>('shell', 'plainOptions'))

interface Row {
  readonly targets?: string
  readonly deny?: string
  readonly needs?: string
  readonly options?: 'any'
}

const RUNNERS: ReadonlyMap<string, Runner> = new Map(
  [...oneByProgram<Row>('runs')].map(([name, { targets, deny, ...row }]) => [
    name,
    {
      ...row,
      ...(targets && { targets: targets === 'plain' ? TARGET : patternOf(targets) }),
      ...(deny && { deny: patternOf(deny) }),
    },
  ]),
)

/** Python modules that test, check or build their project. */
const MODULES = readSet('shell', 'runnerModules')

/** Whether a program or module only tests or checks the files that it is given. */
export const isTester = (name: string): boolean =>
  MODULES.has(name) || (RUNNERS.has(name) && RUNNERS.get(name)?.targets === undefined)

/** Raises by running a project target, and returns true. It is understood unless the session wrote the target itself. */
function raiseRunner({ effects }: ShellContext): true {
  const isTemporary = effects.folder !== undefined && pathKindOf(`${effects.folder}/a`) === PATH_KINDS.temp
  raise(effects, COMMAND_LABELS.EXECUTE, "a target of the project's own is run", !isTemporary)
  signal(effects, 'runner', 1)
  return true
}

/** Reads a runner of the project's own targets. Returns false if the call is none, or may run something else. */
export function readRunner(given: Call, context: ShellContext): boolean {
  const call = servicesIn(given) ?? given
  const runner = RUNNERS.get(call.name.replace(OWN_PROGRAM, ''))
  return runner !== undefined && isUnderstood(call, runner) && raiseRunner(context)
}

/** Where a project keeps its tools. */
const OWN_PROGRAM = longPattern('runners.OWN_PROGRAM')

/** `docker compose up` by the name of the tool of before: `docker-compose up`. */
function servicesIn(given: Call): Call | undefined {
  const isOfServices = (given.name === 'docker' || given.name === 'podman') && given.args[0] === 'compose'
  const call = isOfServices ? restOf(given, 0) : undefined
  return call && { ...call, name: 'docker-compose' }
}

/** Reads `python -m pytest -q tests`; `call` begins with the module. */
export function readModule(module: string, call: Call, context: ShellContext): boolean {
  return MODULES.has(module) && isUnderstoodModule(module, call) && raiseRunner(context)
}

const isUnderstoodModule = (module: string, call: Call): boolean =>
  module === 'coverage'
    ? COVERAGE.test(call.args.join(' ')) && !isOpen(call)
    : isUnderstood(call, RUNNERS.get(module) ?? { deny: /^-[po]$/ })

const COVERAGE = longPattern('runners.COVERAGE')

/** Scripts that run the tests of Python projects. */
const TEST_SCRIPT = longPattern('runners.TEST_SCRIPT')

/** Reads the script of a framework: `php artisan migrate`, `python manage.py check`; `call` begins with the script. */
export const readFrameworkScript = (call: Call, context: ShellContext): boolean =>
  FRAMEWORK_SCRIPT.test(call.name) && readRunner({ ...call, name: baseOf(call.name) }, context)
const FRAMEWORK_SCRIPT = longPattern('runners.FRAMEWORK_SCRIPT')
const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Reads `python tests/runtests.py` and `python manage.py test`; `call` begins with the script. */
export function readTestScript(call: Call, context: ShellContext): boolean {
  const isTest = TEST_SCRIPT.test(call.name) && isUnderstood(call, { deny: /^--settings|^--pythonpath/ })
  return isTest ? raiseRunner(context) : readFrameworkScript(call, context)
}

/** Reads a script of `package.json` by its name: `npm run lint`. */
export const readScript = (name: string, call: Call, context: ShellContext): boolean =>
  isPlainTarget(name) && isUnderstood(call, {}) && raiseRunner(context)

function isUnderstood(call: Call, { targets, deny, needs, options: known }: Runner): boolean {
  const options = call.args.filter((arg) => arg.startsWith('-'))
  const operands = call.args.filter((arg) => !arg.startsWith('-'))
  return (
    (needs === undefined || call.args.includes(needs)) &&
    !isOpen(call) &&
    call.loose.every((loose) => loose === undefined) &&
    !call.args.some((arg) => deny?.test(arg) === true) &&
    (known === 'any' || options.every((option) => PLAIN_OPTION.test(option))) &&
    !operands.some(isElsewhere) &&
    areTargets(operands, targets)
  )
}

function areTargets(operands: readonly string[], targets: RegExp | undefined): boolean {
  if (!targets) return true
  if (targets === TARGET) return operands.every((name) => isPlainTarget(name) || /^\d+$/.test(name))
  return operands[0] !== undefined && targets.test(operands[0])
}

/** Whether an operand is outside the project or no path, and so none of its targets. */
const isElsewhere = (operand: string): boolean => BEYOND.test(operand)

const BEYOND = longPattern('runners.BEYOND')
