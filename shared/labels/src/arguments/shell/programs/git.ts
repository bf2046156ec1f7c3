import { raise, signal } from '../../effects.js'
import { actsOn, actsOnPath, namesOfPath, wordsIn } from '../../objects.js'
import { PATH_KINDS, pathKindOf } from '../../paths.js'
import {
  type Call,
  type ShellContext,
  hasOption,
  isOpen,
  operandsOf,
  placeOfHost,
  reach,
  restOf,
} from '../call.js'
import { noteHooksOff, noteMoved } from './doors.js'
import { raiseIrreversible } from './irreversible.js'
import { LIVE_WORDS, isOfLive, publishes } from './live.js'
import { readPush } from './pushes.js'
import { isPlainFetch } from './remote-looks.js'
import { noteLosses } from './git-losses.js'
import { rowsByProgram } from './command-table.js'
import { type SubcommandRow, COMMAND_LABELS, labelsFrom } from './commands.js'
import { byWord, patternOf, readSet, readTable, longPattern } from '../../../text/data.js'

const { WRITE, EXECUTE, INSTALL } = COMMAND_LABELS

/** Labels of git's own commands. An unlisted one may be an alias for anything. */
const COMMANDS = byWord(
  (rowsByProgram<SubcommandRow>('subcommands').get('git') ?? []).map(
    ({ words, labels }) => [words, labelsFrom(labels)] as const,
  ),
)

/** Options and settings before the command that do not change what git does. */
const PLAIN_OPTIONS = longPattern('git.PLAIN_OPTIONS')
const PLAIN_SETTING = longPattern('git.PLAIN_SETTING')
/** Options that start a program. */
const STARTS = longPattern('git.STARTS')
const NETWORK = longPattern('git.NETWORK')

/** Reads a git command, its settings and the repository that it names. */
export function readGit(given: Call, context: ShellContext): void {
  const { effects } = context
  const { call, isPlain, folder } = commandOf(given)
  if (!isPlain) raise(effects, EXECUTE, '`git` with settings of its own')
  if (skipsHooks(given, call)) raiseIrreversible('grant', 'checks of the project are skipped', effects)
  if (unsetsHooks(call)) noteHooksOff(effects)
  if (keepsSetting(call))
    raiseIrreversible('grant', '`git` runs or reaches something else from now on', effects)
  if (!call) return
  const labels = COMMANDS.get(call.name)
  if (isHarmlessHelp(call)) return
  for (const loose of call.loose) if (loose) context.variables.demand(loose, 'option')
  const isRemote =
    NETWORK.test(call.name) || (call.name === 'remote' && /^(?:show|update|prune)$/.test(call.args[0] ?? ''))
  const isPush = isPlain && !given.args.includes('-C') && readPush(call, effects)
  const isKnown = isRemote && isPlain && (isPlainClone(call) || isPlainFetch(call))
  raise(effects, labels ?? EXECUTE, '`git` and what it does', isPush || isKnown)
  if (isRemote) {
    if (!labels || call.name === 'remote') raise(effects, INSTALL, '`git` with another repository', isKnown)
    readPlaces(call, context)
  }
  if (takesMore(call)) signal(effects, 'takesAll', 1)
  if (call.name === 'add') noteKeys(call, effects)
  if (call.name === 'mv' || call.name === 'rm')
    for (const path of operandsOf(call).slice(0, FILES_MAX)) noteMoved(path, effects)
  if (call.name === 'push') {
    notePlace(call, context)
    noteDeployingPush(call, effects)
  }
  readWrites(call, context, folder)
}

const FILES_MAX = 64

/** Records a push to a place that the repository's settings do not name: a task that names the place asks for it. */
function notePlace(call: Call, context: ShellContext): void {
  const [place = ''] = operandsOf(call)
  const host = HOST_OF_REMOTE.exec(place)?.[1]
  if (host === undefined || placeOfHost(host, context) === 'local') return
  raiseIrreversible('send', '`git` that pushes to a place of its own', context.effects)
  actsOn(context.effects, 'send', {
    kind: 'host',
    byName: true,
    names: [host, place, ...namesOfPath(place.replace(/\.git$/, ''))],
    thing: place,
  })
}

/** Remotes that put online what is pushed to them. */
const DEPLOYS = longPattern('git.DEPLOYS')

/** Records a push that puts a project online: a task that names the service, or what is live, asks for it. */
function noteDeployingPush(call: Call, effects: ShellContext['effects']): void {
  const [remote = ''] = operandsOf(call)
  if (!DEPLOYS.test(remote) || hasOption(call, 'n', '--dry-run')) return
  const isLive = isOfLive(remote)
  publishes('`git` that deploys what it pushes', effects)
  actsOn(effects, 'deploy', {
    kind: 'resource',
    reach: 'live',
    names: [
      ...LIVE_WORDS,
      remote,
      ...(isLive ? [] : [...wordsIn(remote), 'deploy', 'deployment', 'release']),
    ],
    thing: remote,
  })
}

/** Commands that put nothing into files or the repository but their arguments, what it holds, and what others hold. */
const TAKES_NOTHING = readSet('shell', 'gitTakesNothing')
/** Files of source code, texts and manifests: no one keeps secrets there. */
const IS_SOURCE = patternOf(readTable<string>('shell', 'gitSources'))
/** Paths that may hold any file, and options that name a file of text. */
const TAKES_ALL = patternOf(readTable<string>('shell', 'gitTakesAll'))

/** Whether files become a part of the repository that the command does not name one by one, or a text that stands in a file. */
function takesMore(call: Call): boolean {
  if (call.name === 'remote' && /^(?:add|set-url|rename)$/.test(call.args[0] ?? '')) return true
  if (TAKES_NOTHING.has(call.name)) return call.args.some((arg) => /^(?:-F|--file\b)/.test(arg))
  if (call.name === 'add')
    return (
      call.args.length === 0 ||
      isOpen(call) ||
      call.args.some((arg) => TAKES_ALL.test(arg)) ||
      !operandsOf(call).every((path) => IS_SOURCE.test(path))
    )
  if (call.name !== 'commit') return true
  const isOfPaths = call.args.some((arg) => TAKES_FILES.test(arg))
  return (
    isOfPaths ||
    isOpen(call) ||
    operandsOf(call).length > call.args.filter((arg) => /^(?:-[a-zA-Z]*m|--message)$/.test(arg)).length
  )
}

/** Records that a file of keys becomes a part of the repository. */
function noteKeys(call: Call, effects: ShellContext['effects']): void {
  const isAll = call.args.some((arg) => /^(?:-A|--all|\.|\*)$/.test(arg))
  if (isAll && hasOption(call, 'f', '--force')) {
    raiseIrreversible('publish', 'files that a repository ignores become a part of it', effects)
    actsOn(effects, 'publish', { kind: 'path', names: ['ignored', 'force'], thing: 'ignored files' })
  }
  const isForced = hasOption(call, 'f', '--force')
  for (const path of operandsOf(call).slice(0, 64)) {
    if (path.length > 512 || (pathKindOf(path) !== PATH_KINDS.credentials && !(isForced && !isAll))) continue
    raiseIrreversible('grant', 'keys become a part of a repository', effects)
    actsOnPath(effects, 'grant', path)
  }
}

/** Settings by which git runs a program, asks another for secrets or goes elsewhere; an alias that begins with `!` is a program. */
const REACHING_SETTING = longPattern('git.REACHING_SETTING')
/** Its values that change nothing: a plain pager or editor, a keychain. */
const PLAIN_VALUE = longPattern('git.PLAIN_VALUE')

/** Whether a setting is kept by which later commands of git run or reach something else. */
function keepsSetting(call: Call | undefined): boolean {
  if (call?.name === 'remote') return call.args[0] === 'set-url' && call.args.includes('--push')
  if (call?.name !== 'config' || call.args.some((arg) => /^--(?:get|list|unset)|^-l$/.test(arg))) return false
  const [name = '', value] = operandsOf(call).filter((word) => word !== 'set')
  if (value === undefined) return false
  return /^alias\./i.test(name)
    ? value.startsWith('!')
    : REACHING_SETTING.test(name) && !PLAIN_VALUE.test(value)
}

/** Whether hooks of the project that check the work do not run. */
const skipsHooks = (given: Call, call: Call | undefined): boolean =>
  given.args.some((arg, i) => given.args[i - 1] === '-c' && /^core\.hookspath=/i.test(arg)) ||
  (call?.name === 'commit' && call.args.some((arg) => /^-[aqsve]*n|^--no-verify$/.test(arg))) ||
  (call !== undefined && /^(?:push|merge|am|rebase)$/.test(call.name) && call.args.includes('--no-verify'))

/** Whether the setting is taken away that says where the hooks of a project lie. */
function unsetsHooks(call: Call | undefined): boolean {
  if (call?.name !== 'config') return false
  const words = call.args.map((arg) => arg.toLowerCase())
  return (
    (words.some((word) => /^(?:--unset(?:-all)?|unset)$/.test(word)) && words.includes('core.hookspath')) ||
    (words.some((word) => /^(?:--)?remove-section$/.test(word)) && words.includes('core'))
  )
}

const isHarmlessHelp = (call: Call): boolean =>
  call.args.length === 1 && /^(?:--help|-h)$/.test(call.args[0] ?? '')

/** The command after git's own options. Not plain if an option may change what it does. */
function commandOf(given: Call): { call: Call | undefined; isPlain: boolean; folder: string } {
  let isPlain = true
  let folder = ''
  let at = 0
  for (; at < given.args.length; at += 1) {
    const arg = given.args[at] ?? ''
    if (arg === '-c') {
      at += 1
      isPlain &&= PLAIN_SETTING.test(given.args[at] ?? '') && given.open[at] !== true
    } else if (arg === '-C') {
      at += 1
      folder = `${given.args[at] ?? ''}/`
    } else if (given.open[at] === true || !arg.startsWith('-')) break
    else isPlain &&= PLAIN_OPTIONS.test(arg)
  }
  return { call: restOf(given, at), isPlain, folder }
}

/** Whether a clone names its repository by a literal URL, so that nothing else is sent. */
const isPlainClone = (call: Call): boolean =>
  call.name === 'clone' &&
  !isOpen(call) &&
  !call.args.some((arg) => STARTS.test(arg) || /^-[ucjo]/.test(arg)) &&
  operandsOf(call).length > 0 &&
  (operandsOf(call)[0] ?? '').startsWith('https://')

/** Reads the places of remotes. A remote's name is resolved by the repository's settings, which are unknown. */
function readPlaces(call: Call, context: ShellContext): void {
  const urls = call.args.filter((arg) => /^[a-z+]+:\/\//i.test(arg))
  const isReported = !isOpen(call) && urls.length > 0
  reach(
    isReported && urls.every((url) => placeOfHost(url, context) !== 'outside') ? 'inside' : 'outside',
    context,
  )
}

function readWrites(call: Call, context: ShellContext, folder: string): void {
  const { effects } = context
  const sub = call.name
  if (noteLosses(call, context, folder)) signal(effects, 'destructive', 1)
  const operands = operandsOf(call).length
  const least: Readonly<Record<string, number>> = { branch: 1, tag: 1, remote: 2, worktree: 2 }
  if (operands >= (least[sub] ?? Infinity)) raise(effects, WRITE)
  if (startsProgram(call)) raise(effects, EXECUTE, '`git` that runs a program')
  const run = commandRun(call)
  if (run !== '') context.nested(run, context)
  // Code from elsewhere is unknown; code that the session wrote was read when it was written.
  if (BRINGS.test(sub)) signal(effects, 'code', 1)
  const output = call.args.some(
    (arg) => arg.startsWith('--output') || (sub === 'archive' && arg.startsWith('-o')),
  )
  if (output) {
    raise(effects, WRITE, '`git` that writes a file')
    signal(effects, 'code', 1)
  }
}

/** The command line that git runs for each of something; empty if there is none. */
function commandRun({ name, args }: Call): string {
  const word = name === 'submodule' ? 'foreach' : name === 'bisect' ? 'run' : undefined
  if (word !== undefined && args.includes(word))
    return args
      .slice(args.indexOf(word) + 1)
      .filter((arg) => arg !== '--recursive' && arg !== '-q')
      .join(' ')
  const at = args.findIndex((arg) => arg === '-x' || arg === '--exec')
  return name === 'rebase' && at >= 0 ? (args[at + 1] ?? '') : ''
}

/** Commands that fetch or apply the work of others. */
const BRINGS = longPattern('git.BRINGS')

/** Whether git runs a program that a setting, hook or option names. */
function startsProgram(call: Call): boolean {
  const sub = call.name
  const operands = operandsOf(call)
  if (sub === 'config')
    return (
      operands.length > 1 &&
      !PLAIN_SETTING.test(operands[0] ?? '') &&
      !call.args.some((arg) => /^--(?:get|list)/.test(arg))
    )
  if (sub === 'bisect') return operands[0] === 'run'
  if (sub === 'remote') return operands.length > 2
  if (sub === 'rebase') return call.args.some((arg) => /^-[a-zA-Z]*x|^--exec/.test(arg))
  if (sub === 'grep') return call.args.some((arg) => /^-O|^--open/.test(arg))
  if (sub === 'archive') return call.args.some((arg) => /^--(?:remote|exec)/.test(arg))
  if (sub === 'submodule') return operands[0] === 'foreach'
  if (sub === 'commit' || sub === 'tag' || sub === 'show' || sub === 'log' || sub === 'diff')
    return call.args.some((arg) => /^--(?:ext-diff|textconv|template)/.test(arg))
  return NETWORK.test(sub) && call.args.some((arg) => STARTS.test(arg) || /^ext::|^-u./.test(arg))
}

const TAKES_FILES = longPattern('git.TAKES_FILES')

const HOST_OF_REMOTE = longPattern('git.HOST_OF_REMOTE')
