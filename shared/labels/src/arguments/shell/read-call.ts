import { does, raise, signal } from '../effects.js'
import { pathKindOf, PATH_KINDS, type PathKind } from '../paths.js'
import { unreadable } from '../worst.js'
import { noteShellActs } from './acts.js'
import { operandsOf, type Call, type ShellContext } from './call.js'
import { COMMANDS, UNKNOWN, type CommandKind } from './commands.js'
import { noteForbidden } from './forbidden.js'
import { readGit } from './git.js'
import { readOptions } from './options.js'
import { readPackages } from './packages.js'
import { readRunner } from './runners.js'
import { ADDING, TELLING } from './special.js'
import { isHelp, noteVerbs, readSubcommand } from './subcommands.js'
import { noteWrites } from './writes.js'
import { PRIVILEGED, unwrap } from './wrappers.js'

/** Programs that send, and take away elsewhere. */
const CARRIERS = new Set(['gsutil', 'rclone', 's3cmd', 'azcopy', 'mc', 'ansible', 'vault', 'dropdb'])
/** Folders whose commands are the known ones. */
const SYSTEM_FOLDER = /^\/(usr\/(local\/)?)?s?bin\/([^/]+)$/
const VERSIONED = /^(python|pip|node|ruby|perl|php|lua|gcc|g\+\+|clang)-?\d[\d.]*$/
/** Commands within commands (`sudo env nice …`). */
const WRAPPED_MAX = 16
/** What one command counts as, in nodes; one within another counts with its arguments. */
const COMMAND_NODES = 3
/** Arguments looked at as paths. */
const PATHS_MAX = 256

/** Raises what one command does. */
export function readCall(given: Call, context: ShellContext, wrapped = 0): void {
  const { effects } = context
  context.budget.nodes -= COMMAND_NODES + (wrapped > 0 ? given.args.length : 0)
  if (wrapped > WRAPPED_MAX || context.budget.nodes < 0)
    return unreadable(effects, 'commands within commands, too deep to read')
  const call = plainCall(given)
  if (PRIVILEGED.has(call.name)) {
    raise(effects, { capability: 'execute', reversibility: 'partial' }, 'a command as another user')
    signal(effects, 'privileged', 1)
  }
  const inner = unwrap(call, context)
  if (inner !== undefined) return readWrapped(call, inner, context, wrapped)
  const kind = COMMANDS.get(call.name)
  const run = (started: Call, next: ShellContext): void => readCall(started, next, wrapped + 1)
  const telling = TELLING.get(call.name)
  if (telling) telling(call, context, run)
  else if (!readTarget(call, context) && !readSubcommand(call, kind?.labels, context))
    readKind(call, kind ?? UNKNOWN, context)
  if ((!kind && !telling) || CARRIERS.has(call.name)) noteVerbs(call, effects)
  ADDING.get(call.name)?.(call, context, run)
  noteWrites(call, context)
  noteForbidden(call, context)
  noteShellActs(call, context)
  if (telling && !kind) readPaths(call, UNKNOWN, context)
  else if (telling && kind) readPaths(call, { ...kind, paths: 'reads' }, context)
}

/** Commands whose words name what is run: a target of the project's, a package, a command of git's. */
function readTarget(call: Call, context: ShellContext): boolean {
  if (isHelp(call)) return call.name === 'git'
  if (call.name === 'git') readGit(call, context)
  return call.name === 'git' || readRunner(call, context) || readPackages(call, context)
}

/** `/usr/bin/python3.11` is `python`: folders of the system and versions make no other command. */
function plainCall(call: Call): Call {
  const name = call.name.startsWith('/') ? (SYSTEM_FOLDER.exec(call.name)?.[3] ?? call.name) : call.name
  const plain = VERSIONED.exec(name)?.[1] ?? name
  return plain === call.name ? call : { ...call, name: plain }
}

function readWrapped(call: Call, inner: Call | 'none', context: ShellContext, wrapped: number): void {
  if (inner !== 'none') return readCall(inner, context, wrapped + 1)
  if (call.name === 'env')
    return TELLING.get('printenv')?.({ ...call, args: [], open: [] }, context, readCall)
  if (call.name === 'sudo' && !call.args.some((arg) => /^-[lvk]$/.test(arg)))
    raise(context.effects, UNKNOWN.labels, 'a shell as another user')
}

function readKind(call: Call, kind: CommandKind, context: ShellContext): void {
  if (isHelp(call) && kind !== UNKNOWN) return
  const labels = kind.paths === 'writes' ? lastingLabels(call, kind) : kind.labels
  raise(context.effects, labels, kind.reason, kind.complete === true)
  if (isDestroying(labels)) does(context.effects, 'delete')
  if (labels.capability === 'network') signal(context.effects, 'outside', 1)
  readOptions(call, context)
  readPaths(call, kind, context)
}

const isDestroying = ({ capability, reversibility }: CommandKind['labels']): boolean =>
  reversibility === 'irreversible' && capability !== 'network'

/** Writing only temporary files leaves nothing behind. */
function lastingLabels(call: Call, kind: CommandKind): CommandKind['labels'] {
  const operands = operandsOf(call)
  const target = call.name === 'cp' || call.name === 'ln' ? operands.slice(-1) : operands
  const temporary =
    kind.labels.reversibility === 'partial' &&
    target.length > 0 &&
    !call.open.includes(true) &&
    target.every((operand) => pathKindOf(operand) === PATH_KINDS.temp)
  return temporary ? { ...kind.labels, reversibility: 'reversible' } : kind.labels
}

/** What the files are that a command names. */
function readPaths(call: Call, kind: CommandKind, { effects }: ShellContext): void {
  if (!kind.paths) return
  const program = programOf(call)
  for (const [i, arg] of call.args.slice(0, PATHS_MAX).entries()) {
    if (i === program) continue
    const path = arg.startsWith('-') ? arg.slice(arg.indexOf('=') + 1) : arg
    if (path.length < 3 || path.includes('://') || path.includes('\n')) continue
    raisePath(pathKindOf(path), kind.paths, effects)
  }
}

/** Commands whose first operand is a pattern or a program, unless an option gives it. */
const PROGRAM_FIRST = new Set(
  'grep egrep fgrep zgrep zegrep zfgrep bzgrep rg ag ack sed gsed awk gawk mawk nawk jq yq'.split(' '),
)
const GIVEN_BY_OPTION = /^-[a-zA-Z]*[ef]|^--(?:reg|exp|fi|fr)/

/** Which argument is a pattern or a program, and so no path; -1 where none is. */
function programOf({ name, args }: Call): number {
  if (!PROGRAM_FIRST.has(name) || args.some((arg) => GIVEN_BY_OPTION.test(arg))) return -1
  return args.findIndex((arg) => !arg.startsWith('-'))
}

function raisePath(path: PathKind, as: 'reads' | 'writes', effects: ShellContext['effects']): void {
  if (path === PATH_KINDS.plain || path === PATH_KINDS.temp || path === PATH_KINDS.sink) return
  if (path === PATH_KINDS.remote)
    return raise(effects, as === 'writes' ? path.writes : path.reads, `it names ${path.name}`)
  raise(effects, path.reads, `it names ${path.name}`)
  if (as === 'writes') raise(effects, path.writes, `it names ${path.name}`)
}
