import { raise, signal } from '../../effects.js'
import { type Call, type ShellContext, isOpen, operandsOf, restOf } from '../call.js'
import { COMMAND_LABELS } from './commands.js'
import { readModule, readRunner, readScript } from './runners.js'
import { noteSource } from './sources.js'
import { isOfDatabase, noteVerbs } from './subcommands.js'
import { patternOf, readSet, readTable, longPattern } from '../../../text/data.js'
import { programsThat } from './command-table.js'

const { EXECUTE, INSTALL } = COMMAND_LABELS

/** Managers that install packages from a registry, and their install commands. */
const MANAGERS = programsThat('package-manager')
const INSTALLS = readSet('shell', 'installs')
/** Managers that run the project's own scripts. */
const SCRIPTED = new Set(['npm', 'yarn', 'pnpm', 'bun'])
/** Scripts that have a command of their own. */
const NAMED: ReadonlyMap<string, string> = new Map([
  ['test', 'test'],
  ['t', 'test'],
  ['tst', 'test'],
  ['start', 'start'],
])
/** Commands that run a program of a package, such as `npx`. */
const LAUNCHERS = new Set(['npx', 'pnpx', 'bunx', 'uvx'])

/** Options that do not change the source of packages; none takes the next word. */
const PLAIN_OPTION = patternOf(readTable<string>('shell', 'installOptions'))
/** A package by name, with extras and version; no URL, path, repository or file. */
const PACKAGE = longPattern('packages.PACKAGE')

/**
 * Reads package managers: project scripts and installs from the registry. A named index, URL, repository or path is known only at run time.
 */
export function readPackages(call: Call, context: ShellContext): boolean {
  if (readRunner(call, context)) return true
  if (LAUNCHERS.has(call.name)) return readLaunched(call, context)
  if (!MANAGERS.has(call.name)) return false
  const at = call.args.findIndex((arg) => !arg.startsWith('-'))
  const sub = call.args[at] ?? ''
  if (at === 0 && RUNNING.get(call.name) === sub && readWithin(call, context)) return true
  if (at === 0 && SCRIPTED.has(call.name) && readOwnScript(call, sub, context)) return true
  if (!(
    INSTALLS.has(sub) ||
    isOfManifest(call) ||
    (call.name === 'uv' && sub === 'pip') ||
    (call.name === 'yarn' && call.args.length === 0)
  ))
    return false
  readInstall(call, at, context)
  return true
}

/** Managers that run a program in the project's environment, with the command for it. */
const RUNNING: ReadonlyMap<string, string> = new Map([
  ['poetry', 'run'],
  ['pdm', 'run'],
  ['uv', 'run'],
  ['bundle', 'exec'],
])

/** Reads `poetry run pytest`, `uv run python -m pytest`. */
function readWithin(call: Call, context: ShellContext): boolean {
  const program = restOf(call, 1)
  if (!program) return false
  if (readRunner(program, context)) return true
  const isModule = /^python3?$/.test(program.name) && program.args[0] === '-m' && program.open[1] !== true
  const module = isModule ? restOf(program, 1) : undefined
  return module !== undefined && readModule(module.name, module, context)
}

/** Reads `npm test`, `npm run lint`, `yarn build`. */
function readOwnScript(call: Call, sub: string, context: ShellContext): boolean {
  const rest = restOf(call, 0)
  if (!rest) return false
  const named = NAMED.get(sub)
  if (named !== undefined) return readScript(named, rest, context)
  const isRun = sub === 'run' || sub === 'run-script'
  const script = isRun ? restOf(rest, 0) : call.name === 'yarn' || call.name === 'pnpm' ? rest : undefined
  return script !== undefined && readScript(script.name, script, context)
}

function readLaunched(call: Call, context: ShellContext): boolean {
  const program = call.args[0] === '--no-install' || call.args[0] === '-y' ? restOf(call, 1) : restOf(call, 0)
  if (program && readRunner(program, context)) return true
  if (program && !(context.isOfTest === true && isOfDatabase(program))) noteVerbs(program, context.effects)
  raise(context.effects, EXECUTE, 'the program of a package is run')
  raise(context.effects, INSTALL, 'a package is fetched')
  signal(context.effects, 'outside', 1)
  return true
}

/** What the project itself lists: `pip install -r requirements.txt`, `pip install -e .[dev]`, `go mod download`, `yarn`. */
function isOfManifest(call: Call): boolean {
  if (isOpen(call) || call.piped) return false
  const words = call.args.join(' ')
  if (call.name === 'yarn') return call.args.length === 0
  if (call.name === 'go') return /^mod (?:download|tidy|verify)$/.test(words)
  return (
    /^pip3?$|^uv$/.test(call.name) && /[ /](?:-r|--requirement|-e|\.)/.test(words) && OF_PROJECT.test(words)
  )
}

const OF_PROJECT = longPattern('packages.OF_PROJECT')

function readInstall(call: Call, at: number, context: ShellContext): void {
  const { effects } = context
  const options = call.args.filter((arg) => arg.startsWith('-'))
  const packages = operandsOf(call).slice(call.name === 'uv' ? 2 : 1)
  const isPlain =
    at >= 0 &&
    !isOpen(call) &&
    !call.piped &&
    options.every((option) => PLAIN_OPTION.test(option)) &&
    packages.every((name) => PACKAGE.test(name) && !/^\.+$|\.(?:whl|tgz|zip|gz|txt|deb|rpm)$/.test(name))
  // A new package runs the code of its authors; packages that the project already names are trusted as its own.
  const isOwn = (isPlain && packages.length === 0) || isOfManifest(call)
  for (const name of packages.slice(0, 16)) noteSource(name, effects)
  raise(effects, INSTALL, 'a package manager', isOwn)
  signal(effects, isOwn ? 'runner' : 'outside', 1)
}
