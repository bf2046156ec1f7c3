import { type ActedOn, does, raise, runsFile, signal, unreadable } from '../effects.js'
import { type PathKind, PATH_KINDS, pathKindOf } from '../paths.js'
import { noteFilesOfCommand } from '../edited-files.js'
import { isLooseRun } from '../limits/loosened.js'
import { noteCommand, noteProductionName } from '../limits/names-of-acts.js'
import { noteChange, noteLoosened, noteSystemChange, noteMigration } from '../limits/names-of-change.js'
import { type Call, type ShellContext, operandsOf, quoted } from './call.js'
import { noteShellActs } from './programs/acts.js'
import { noteCarried } from './carried.js'
import { type CommandKind, COMMAND_LABELS, UNKNOWN, kindOf } from './programs/commands.js'
import { readDeployment } from './programs/deployments.js'
import { noteForbidden } from './programs/forbidden.js'
import { readGit } from './programs/git.js'
import { noteProduction } from './programs/production.js'
import { onlyLooks } from './programs/looks.js'
import { readPackages } from './programs/packages.js'
import { readRunner } from './programs/runners.js'
import { noteFolders } from './own-folders.js'
import { noteStarted } from './own-programs.js'
import { noteThings, ownClusterOf } from './own-things.js'
import { readServiceValues } from './programs/service-values.js'
import { noteSkippedQuestion } from './programs/skipped-questions.js'
import { ADDING, REPLACING_SPECIALS } from './programs/special-table.js'
import {
  isHelp,
  isOfDatabase,
  noteLiveSubcommand,
  noteVerbs,
  readSubcommand,
} from './programs/subcommands.js'
import { isScript } from '../scripts.js'
import { notePrinted } from './printed.js'
import { noteRuns } from './runs.js'
import { noteWindowsDeletion } from './programs/windows.js'
import { effectsBefore, noteUnread } from './unread.js'
import { PRIVILEGED, unwrap } from './wrappers.js'
import { noteWrites, writesLast } from './writes.js'
import { lossesOf } from '../world/thrown-away.js'
import { elsewhere, leavesRoot, noteLeaving } from '../world/known-world.js'
import { patternOf, readSet, longPattern } from '../../text/data.js'
import { oneByProgram } from './programs/command-table.js'

/**
 * Arguments that make an otherwise harmless command run programs, change the system or reach other hosts: those that match `options`, or
 * all that do not match `only`. Some commands accept a URL instead of a file.
 */
const RISKY = new Map(
  [...oneByProgram<{ options?: string; only?: string }>('risky')].map(
    ([name, { options, only }]) =>
      [
        name,
        { options: options ? patternOf(options) : undefined, only: only ? patternOf(only) : undefined },
      ] as const,
  ),
)

/** Raises by risky arguments. An argument that may expand to an option counts as one, if the command has risky options. */
export function readOptions(call: Call, { effects, variables }: ShellContext): void {
  if (!RISKY.has(call.name)) return
  for (const loose of call.loose) if (loose) variables.demand(loose, 'option')
  if (isRisky(call))
    raise(effects, COMMAND_LABELS.EXECUTE, `\`${call.name}\` that may run or reach something`)
}

function isRisky(call: Call): boolean {
  const { options, only } = RISKY.get(call.name) ?? {}
  return call.args.some((arg, i) =>
    only ? call.open[i] === true || !only.test(arg) : options?.test(arg) === true,
  )
}

/** Whether a command may start programs that its words name: no plain reader or writer does. */
const mayStart = (call: Call, kind: CommandKind | undefined): boolean =>
  kind === undefined ||
  kind.labels.capability === 'execute' ||
  kind.labels.capability === 'network' ||
  isRisky(call) ||
  call.args.some((arg) => RUNS_WITHIN.test(arg))
/** Programs of `awk`, and options by which an archive or an editor starts others. */
const RUNS_WITHIN = longPattern('read-call.RUNS_WITHIN')

/** Programs that send, and delete on other systems. */
const CARRIERS = new Set(['gsutil', 'rclone', 's3cmd', 'azcopy', 'mc', 'ansible', 'vault', 'dropdb'])
/** Folders that hold the usual commands. */
const SYSTEM_FOLDER = longPattern('read-call.SYSTEM_FOLDER')
const VERSIONED = longPattern('read-call.VERSIONED')
/** Limit for commands within commands (`sudo env nice …`). */
const WRAPPED_MAX = 16
/** Cost of a command in nodes; a nested one also costs its arguments. */
const COMMAND_NODES = 3
/** Arguments that are read as paths. */
const PATHS_MAX = 256

/** Raises by one command. */
export function readCall(given: Call, context: ShellContext, wrapped = 0): void {
  const { effects } = context
  const { losses, objects } = effects
  const { length } = objects
  effects.losses = 0
  const { acts, commands } = effects
  const before = effectsBefore(effects)
  readOne(given, context, wrapped)
  // A command that starts others counts as those.
  if (effects.commands === commands) effects.commands += 1
  if (objects.length > length || effects.acts !== acts) noteProductionName(given.args, effects)
  const open = effects.losses & ~lossesOf(objects, length)
  noteUnread(given, before, open, context)
  if (objects.length > length) noteWhere(given, objects, length, context)
  effects.openLosses |= open
  effects.losses |= losses
}

/** Records which command does it, and where a path lies that it deletes. Inner commands have said so before. */
function noteWhere(call: Call, objects: ActedOn[], from: number, { effects, whole }: ShellContext): void {
  const { folder, isAway } = effects
  // Beside a subshell, a pipe or the background, the folder may be another one.
  const isKnown = folder === '' || (folder !== undefined && !APART.test(whole))
  const isHere = isKnown && !isAway && !leavesRoot(call.name)
  for (let i = from; i < objects.length; i++) {
    const each = objects[i]
    if (!each || each.by !== undefined) continue
    const isLost = each.act === 'delete' || each.act === 'change'
    const isPath = isHere && each.kind === 'path' && isLost && each.reach !== 'live'
    const by = [call.name, ...call.args].map(shownWord).join(' ').slice(0, BY_MAX)
    objects[i] = { ...each, by, place: isPath ? placeFrom(each.thing, folder) : undefined }
  }
}

const APART = longPattern('read-call.APART')
/** Characters of a command for people. */
const BY_MAX = 200
const shownWord = (word: string): string => (/[\s'"]/.test(word) ? quoted([word]) : word)

function placeFrom(path: string | undefined, folder: string): string | undefined {
  if (path === undefined || path === '') return undefined
  return folder === '' || /^[/~]/.test(path) ? path : `${folder}/${path}`
}

/** Records that what a command does in a cluster is own if the cluster is. */
function noteOwnCluster(call: Call, objects: ActedOn[], from: number): void {
  const own = ownClusterOf(call)
  for (let i = from; own.length > 0 && i < objects.length; i++) {
    const each = objects[i]
    if (each?.kind === 'resource') objects[i] = { ...each, own: [...own, ...each.own] }
  }
}

function readOne(given: Call, context: ShellContext, wrapped: number): void {
  const { effects } = context
  context.budget.nodes -= COMMAND_NODES + (wrapped > 0 ? given.args.length : 0)
  if (wrapped > WRAPPED_MAX || context.budget.nodes < 0)
    return unreadable(effects, 'commands within commands, too deep to read')
  context.seen?.(given)
  const call = plainCall(given)
  const known = effects.objects.length
  const { writes } = effects
  const { runner } = effects.signals
  if (effects.world !== undefined) noteLeaving(call.name, effects)
  if (PRIVILEGED.has(call.name)) {
    raise(effects, { capability: 'execute', reversibility: 'partial' }, 'a command as another user')
    signal(effects, 'privileged', 1)
  }
  const inner = unwrap(call, context)
  if (inner !== undefined) return readWrapped(call, inner, context, wrapped)
  const kind = kindOf(call)
  const run = (started: Call, next: ShellContext): void => readCall(started, next, wrapped + 1)
  const telling = REPLACING_SPECIALS.get(call.name)
  let lines: ReturnType<typeof readSubcommand>
  const isTarget = !telling && readTarget(call, context)
  if (telling) telling(call, context, run)
  else if (!isTarget) {
    lines = readSubcommand(call, kind?.labels, context)
    if (!lines) readKind(call, kind ?? UNKNOWN, context, given)
  }
  const isCarrying = noteCarried(call, context)
  if (
    !isCarrying &&
    ((!kind && !telling) || CARRIERS.has(call.name)) &&
    !(context.isOfTest && isOfDatabase(call))
  )
    noteVerbs(call, effects)
  ADDING.get(call.name)?.(call, context, run)
  if (!kind && !telling) readAliased(call, context)
  noteWrites(call, context)
  noteRuns(call, kind, context)
  notePrinted(call, effects)
  noteFolders(call, context)
  noteFilesOfCommand(call, effects)
  noteThings(call, context)
  noteStarted(call, context)
  noteChanges(call, kind, context)
  noteCommand(call, effects)
  noteMigration(call, effects)
  noteForbidden(call, context, context.mentionsOwn && mayStart(call, kind))
  noteShellActs(call, context)
  if (lines) {
    noteLiveSubcommand(call, lines, context, known)
    noteOwnCluster(call, effects.objects, known)
  }
  if (!kind && !telling && effects.losses === 0 && effects.objects.length === known)
    noteSkippedQuestion(call, effects)
  if (effects.world !== undefined) noteProduction(call, context)
  noteWindowsDeletion(call, context)
  // What stands in files that it reads may stand in those that it writes.
  const isOwnTarget = isTarget || effects.signals.runner !== runner
  if (effects.writes !== writes && !isOwnTarget && !TAKES_NOTHING.has(call.name))
    signal(effects, 'takesAll', 1)
  if (telling && !kind) readPaths(call, UNKNOWN, context)
  else if (telling && kind) readPaths(call, { ...kind, paths: 'reads' }, context)
}

/** Reads what the same text makes a name stand for: `alias q='rm -rf'; q src`. */
function readAliased({ name, args }: Call, context: ShellContext): void {
  if (!context.whole.includes('alias ') || !/^[\w-]{1,32}$/.test(name)) return
  const [, , value] =
    new RegExp(`\\balias\\s{1,4}${name}=(["']?)([^"'\\n;]{1,512})\\1`).exec(context.whole.slice(0, 16_384)) ??
    []
  if (value !== undefined && !value.trimStart().startsWith(name))
    context.nested(`${value} ${quoted(args)}`, context)
}

/** Commands that write no more than their arguments say. */
const TAKES_NOTHING = readSet('shell', 'takesNothing')

/** Reads commands that name what they run: a project target, a package, a git command. */
function readTarget(call: Call, context: ShellContext): boolean {
  if (isHelp(call)) return call.name === 'git'
  if (call.name === 'git') readGit(call, context)
  return (
    call.name === 'git' ||
    readServiceValues(call, context) ||
    readDeployment(call, context) ||
    readRunner(call, context) ||
    readPackages(call, context)
  )
}

/** Normalises the name: `/usr/bin/python3.11` is `python`. */
function plainCall(call: Call): Call {
  const name = call.name.startsWith('/') ? (SYSTEM_FOLDER.exec(call.name)?.[3] ?? call.name) : call.name
  const plain = VERSIONED.exec(name)?.[1] ?? name
  return plain === call.name ? call : { ...call, name: plain }
}

function readWrapped(call: Call, inner: Call | 'none', context: ShellContext, wrapped: number): void {
  if (inner !== 'none' && leavesRoot(call.name))
    return elsewhere(context.effects, () => readCall(inner, context, wrapped + 1))
  if (inner !== 'none') return readCall(inner, context, wrapped + 1)
  if (call.name === 'env')
    return REPLACING_SPECIALS.get('printenv')?.({ ...call, args: [], open: [] }, context, readCall)
  if (call.name === 'sudo' && !call.args.some((arg) => /^-[lvk]$/.test(arg)))
    raise(context.effects, UNKNOWN.labels, 'a shell as another user')
}

function readKind(call: Call, kind: CommandKind, context: ShellContext, given: Call = call): void {
  if (isHelp(call) && kind !== UNKNOWN) return
  if (onlyLooks(call)) return raise(context.effects, COMMAND_LABELS.LOOK, 'a command that looks')
  const labels = kind.paths === 'writes' ? lastingLabels(call, kind) : kind.labels
  if (kind === UNKNOWN && isProgramFile(given)) runsFile(context.effects, given.name, labels, kind.reason)
  else raise(context.effects, labels, kind.reason, kind.complete === true)
  if (isDestroying(labels) && !isImage(call)) does(context.effects, 'delete')
  if (labels.capability === 'network') signal(context.effects, 'outside', 1)
  readOptions(call, context)
  readPaths(call, kind, context)
}

/** Whether a command is a file of a program, by its path or ending, with arguments that are all known. */
const isProgramFile = ({ name, open }: Call): boolean =>
  /^[\w./+@~-]+$/.test(name) && (isScript(name) || /\w\/\w/.test(name)) && !open.includes(true)

/** A file system in a temporary file, or in an image of the working folder. */
const isImage = (call: Call): boolean =>
  call.name.startsWith('mkfs') &&
  operandsOf(call).some(
    (word) => pathKindOf(word) === PATH_KINDS.temp || /^[\w.][\w./-]{0,200}\.(?:img|iso|raw|bin)$/.test(word),
  )

const isDestroying = ({ capability, reversibility }: CommandKind['labels']): boolean =>
  reversibility === 'irreversible' && capability !== 'network'

/** Records what a command changes beside what `noteWrites` knows: files and folders that it makes, moves or marks; the system; checks. */
function noteChanges(call: Call, kind: CommandKind | undefined, { effects }: ShellContext): void {
  const operands = operandsOf(call)
  if (kind?.paths === 'writes' && (!writesLast(call) || call.name === 'mv'))
    for (const path of operands.slice(MODE_FIRST.has(call.name) ? 1 : 0)) noteChange(path, effects)
  const [first] = call.args
  if (SYSTEM.has(call.name) && first !== undefined && !LOOKING.test(`${call.name} ${first}`))
    noteSystemChange(effects)
  if (isLooseRun(call)) noteLoosened(effects)
}

/** Commands whose first operand is a mode or an owner. */
const MODE_FIRST = new Set(['chmod', 'chown', 'chgrp'])
/** Commands that set up the machine, and those of them that only look or start what is set up, by their first argument. */
const SYSTEM = readSet('limits', 'systemCommands')
const LOOKING = longPattern('read-call.LOOKING')

/** Labels without the write if only temporary files are written. */
function lastingLabels(call: Call, kind: CommandKind): CommandKind['labels'] {
  const operands = operandsOf(call)
  const target = call.name === 'cp' || call.name === 'ln' ? operands.slice(-1) : operands
  const named =
    call.name === 'truncate' || call.name === 'shred' ? target.filter((word) => /[/.]/.test(word)) : target
  const temporary =
    (kind.labels.reversibility === 'partial' || named !== target) &&
    named.length > 0 &&
    target.length > 0 &&
    !call.open.includes(true) &&
    named.every((operand) => pathKindOf(operand) === PATH_KINDS.temp)
  return temporary ? { ...kind.labels, reversibility: 'reversible' } : kind.labels
}

/** Raises by the paths that a command names. */
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

/** Commands whose first operand is a pattern or a program, unless an option provides it. */
const PROGRAM_FIRST = readSet('shell', 'programFirst')
const GIVEN_BY_OPTION = longPattern('read-call.GIVEN_BY_OPTION')

/** Index of the argument that is a pattern or program and so not a path; -1 if there is none. */
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
