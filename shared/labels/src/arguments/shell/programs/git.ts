import { does, raise, signal } from '../../effects.js'
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
import { type LabelRows, COMMAND_LABELS, labelsFrom } from './commands.js'
import { byWord, readTable } from '../../../text/data.js'

const { WRITE, EXECUTE, DESTROY, INSTALL } = COMMAND_LABELS

/** What git's own commands do; an unlisted one may be an alias for anything. */
const COMMANDS = byWord(
  readTable<LabelRows>('shell', 'git').map(({ names, labels }) => [names, labelsFrom(labels)] as const),
)

/** Options before the command, and settings that make git do nothing else than before. */
const PLAIN_OPTIONS = /^(?:-C|-P|--no-pager|--no-optional-locks|--literal-pathspecs|--version|--help|-v|-h)$/
const PLAIN_SETTING =
  /^(?:user\.(?:name|email)|color\.[a-z.]+|advice\.\w+|init\.defaultbranch|core\.(?:quotepath|autocrlf|filemode)|diff\.(?:renames|context|algorithm)|log\.\w+|commit\.gpgsign|core\.pager=(?:cat)?$|pager\.\w+=false$)/i
/** Options by which a command starts a program. */
const STARTS =
  /^(?:-c|--(?:exec|upload-pack|receive-pack|ext-diff|textconv|open-files-in-pager|tool|extcmd|exec-path|config|template|rsh|edit|interactive|trailer|output|to|gpg-sign).*)$/
const NETWORK = /^(?:clone|fetch|pull|push|submodule|ls-remote|svn|p4|send-email|lfs)$/

/** Reads what git does by its command, its settings and the place that it names. */
export function readGit(given: Call, context: ShellContext): void {
  const { effects } = context
  const { call, isPlain } = commandOf(given)
  if (!isPlain) raise(effects, EXECUTE, '`git` with settings of its own')
  if (!call) return
  const labels = COMMANDS.get(call.name)
  if (isHarmlessHelp(call)) return
  for (const loose of call.loose) if (loose) context.variables.demand(loose, 'option')
  const isRemote =
    NETWORK.test(call.name) || (call.name === 'remote' && /^(?:show|update|prune)$/.test(call.args[0] ?? ''))
  raise(effects, labels ?? EXECUTE, '`git` and what it does', isRemote && isPlain && isPlainClone(call))
  if (isRemote) {
    if (!labels || call.name === 'remote') raise(effects, INSTALL, '`git` with another repository')
    readPlaces(call, context)
  }
  readWrites(call, context)
}

const isHarmlessHelp = (call: Call): boolean =>
  call.args.length === 1 && /^(?:--help|-h)$/.test(call.args[0] ?? '')

/** The command behind git's own options; not plain where an option may make it do something else. */
function commandOf(given: Call): { call: Call | undefined; isPlain: boolean } {
  let isPlain = true
  let at = 0
  for (; at < given.args.length; at += 1) {
    const arg = given.args[at] ?? ''
    if (arg === '-c') {
      at += 1
      isPlain &&= PLAIN_SETTING.test(given.args[at] ?? '') && given.open[at] !== true
    } else if (arg === '-C') at += 1
    else if (given.open[at] === true || !arg.startsWith('-')) break
    else isPlain &&= PLAIN_OPTIONS.test(arg)
  }
  return { call: restOf(given, at), isPlain }
}

/** A repository that its URL names wholly is fetched: nothing else is sent. */
const isPlainClone = (call: Call): boolean =>
  call.name === 'clone' &&
  !isOpen(call) &&
  !call.args.some((arg) => STARTS.test(arg) || /^-[ucjo]/.test(arg)) &&
  operandsOf(call).length > 0 &&
  (operandsOf(call)[0] ?? '').startsWith('https://')

/** A remote that is named by a word is what the repository's settings say: nobody can tell. */
function readPlaces(call: Call, context: ShellContext): void {
  const urls = call.args.filter((arg) => /^[a-z+]+:\/\//i.test(arg))
  const isReported = !isOpen(call) && urls.length > 0
  reach(
    isReported && urls.every((url) => placeOfHost(url, context) !== 'outside') ? 'inside' : 'outside',
    context,
  )
}

function readWrites(call: Call, context: ShellContext): void {
  const { effects } = context
  const sub = call.name
  const lost =
    (sub === 'reset' && hasOption(call, '', '--hard')) ||
    (sub === 'push' && isForced(call)) ||
    (sub === 'branch' && hasOption(call, 'D', '--delete')) ||
    ((sub === 'checkout' || sub === 'restore') && call.args.includes('.')) ||
    (sub === 'reflog' && /^(?:expire|delete)$/.test(call.args[0] ?? '')) ||
    (sub === 'update-ref' && call.args.includes('-d')) ||
    (sub === 'stash' && (call.args.includes('drop') || call.args.includes('clear')))
  if (lost) {
    raise(effects, { reversibility: 'irreversible' }, '`git` that throws work away')
    signal(effects, 'destructive', 1)
  }
  if (lost) does(effects, 'overwrite')
  if (COMMANDS.get(sub) === DESTROY) does(effects, 'delete')
  const operands = operandsOf(call).length
  const least: Readonly<Record<string, number>> = { branch: 1, tag: 1, remote: 2, worktree: 2 }
  if (operands >= (least[sub] ?? Infinity)) raise(effects, WRITE)
  if (startsProgram(call)) raise(effects, EXECUTE, '`git` that runs a program')
  // What comes from elsewhere may be any code; what this session wrote was seen when it was written.
  if (BRINGS.test(sub)) signal(effects, 'code', 1)
  const output = call.args.some(
    (arg) => arg.startsWith('--output') || (sub === 'archive' && arg.startsWith('-o')),
  )
  if (output) {
    raise(effects, WRITE, '`git` that writes a file')
    signal(effects, 'code', 1)
  }
}

/** What others have pushed is thrown away: by an option, or by a branch that is named `+main` or `:main`. */
const isForced = (call: Call): boolean =>
  hasOption(call, 'fd', '--force', '--force-with-lease', '--delete', '--mirror', '--prune') ||
  operandsOf(call).some((operand, i) => i > 0 && /^[+:]./.test(operand))

/** Commands that bring what others wrote. */
const BRINGS = /^(?:clone|fetch|pull|submodule|svn|p4|lfs|apply|am)$/

/** Settings, hooks and some options name programs that git runs. */
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
