import { raise, signal } from '../effects.js'
import { raiseWords, readCode } from '../code.js'
import { pathKindOf, PATH_KINDS } from '../paths.js'
import { readSql } from '../sql/read-sql.js'
import { hasOption, isOpen, operandsOf, restOf, type Call, type ShellContext } from './call.js'
import { COMMAND_LABELS } from './commands.js'
import { readFetch } from './fetch.js'
import { awkAct, sedAct, type ProgramAct } from './programs.js'
import { isHelp } from './subcommands.js'

const { EXECUTE, WRITE, DESTROY, ASK, SEND, LOOK } = COMMAND_LABELS

/** Reads what a command's arguments say beyond its kind. `run` reads a command that it starts. */
type Special = (call: Call, context: ShellContext, run: (call: Call, context: ShellContext) => void) => void

const words = (text: string): string[] => text.trim().split(/\s+/)

/** `sh -c TEXT`, `sh FILE`, and `… | sh`, where the text comes from elsewhere. */
const shell: Special = (call, context) => {
  const { effects } = context
  const at = call.args.findIndex((arg) => /^-[a-z]*c$/.test(arg))
  // A shell that is given its text is no more than that text.
  if (at < 0 && call.fed === undefined && !isHelp(call)) raise(effects, EXECUTE, 'a shell is started')
  if (at >= 0) {
    if (call.open[at + 1] === true) raise(effects, DESTROY, 'a shell runs text that only the run decides')
    context.nested(call.args[at + 1] ?? '', context)
  } else if (call.fed !== undefined) context.nested(call.fed, context)
  else if (operandsOf(call).length === 0 && !isHelp(call))
    raise(effects, DESTROY, 'a shell runs what it is fed')
}

const evaluate: Special = (call, context) => {
  raise(context.effects, EXECUTE, 'text is run as commands')
  if (isOpen(call)) raise(context.effects, DESTROY, 'text that only the run decides is run as commands')
  context.nested(call.args.join(' '), context)
}

/** python, node, perl, …: code given in place is read as code. */
const interpreter: Special = (call, context) => {
  const { effects } = context
  if (isHelp(call)) return
  raise(effects, EXECUTE, 'a program is run')
  const at = call.args.findIndex((arg) => /^-[a-zA-Z]*[ceEpr]$/.test(arg) || arg === '--eval')
  const module = call.args[call.args.indexOf('-m') + 1] ?? ''
  if (call.args.includes('-m')) {
    if (/^(http|pip|smtpd|ftplib|twine|ensurepip|telnetlib)/.test(module))
      raise(effects, { ...ASK, reversibility: 'partial' }, 'a module of the network is run')
  } else if (at >= 0) readCode(call.args[at + 1] ?? '', effects)
  else if (call.fed !== undefined) readCode(call.fed, effects)
  else if (operandsOf(call).every((operand) => operand === '-'))
    raise(effects, DESTROY, 'an interpreter runs what it is fed')
}

const find: Special = (call, context, run) => {
  const { effects } = context
  for (const [i, arg] of call.args.entries()) {
    if (arg === '-delete')
      raise(effects, { capability: 'write', reversibility: 'irreversible' }, '`find` that deletes')
    if (/^-f(print0?|printf|ls)$/.test(arg)) raise(effects, WRITE, '`find` that writes a file')
    if (!/^-(exec|execdir|ok|okdir)$/.test(arg)) continue
    const started = restOf(call, i + 1)
    const end = started?.args.findIndex((word) => word === ';' || word === '+') ?? -1
    if (started)
      run(
        end < 0
          ? started
          : { ...started, args: started.args.slice(0, end), open: started.open.slice(0, end) },
        context,
      )
  }
}

const editor =
  (actOf: (program: string) => ProgramAct, programs: (call: Call) => string[]): Special =>
  (call, { effects }) => {
    for (const program of programs(call)) {
      const act = actOf(program)
      if (act === 'runs') raise(effects, EXECUTE, `\`${call.name}\` that runs commands`)
      if (act === 'writes') raise(effects, WRITE, `\`${call.name}\` that writes files`)
    }
  }

/** The values of `-e` and `--expression`, else the first operand. */
function sedPrograms(call: Call): string[] {
  const given = call.args.flatMap((arg, i) =>
    /^(-[nrE]*e|--expression)$/.test(arg)
      ? [call.args[i + 1] ?? '']
      : arg.startsWith('--expression=')
        ? [arg.slice(13)]
        : [],
  )
  return given.length > 0 ? given : operandsOf(call).slice(0, 1)
}

const sed: Special = (call, context, run) => {
  editor(sedAct, sedPrograms)(call, context, run)
  if (hasOption(call, 'i', '--in-place')) raise(context.effects, WRITE, '`sed` that writes its files')
  if (hasOption(call, 'f', '--file')) raise(context.effects, EXECUTE, '`sed` with a program from a file')
}

const awk: Special = (call, context, run) => {
  if (call.args.includes('-f')) raise(context.effects, EXECUTE, '`awk` with a program from a file')
  else
    editor(awkAct, (given) =>
      given.args.filter((arg) => arg.includes('{') || arg.includes('(') || arg.includes('|')),
    )(call, context, run)
  if (call.args.includes('inplace')) raise(context.effects, WRITE, '`awk` that writes its files')
}

/** Deleting only temporary files can be borne. */
const remove: Special = (call, { effects }) => {
  const operands = operandsOf(call)
  const temporary =
    operands.length > 0 &&
    !isOpen(call) &&
    operands.every((operand) => pathKindOf(operand) === PATH_KINDS.temp)
  raise(
    effects,
    temporary ? WRITE : { capability: 'write', reversibility: 'irreversible' },
    temporary ? 'temporary files are deleted' : 'files are deleted',
  )
  if (hasOption(call, 'rRf', '--recursive', '--force') && !temporary) signal(effects, 'destructive', 1)
}

const environment: Special = (call, { effects }) => {
  const named = operandsOf(call)
  if (named.length === 0)
    raise(effects, { ...LOOK, confidentiality: 'credentials' }, 'the environment is printed')
  for (const name of named)
    if (isSecretName(name)) raise(effects, { confidentiality: 'credentials' }, 'a secret of the environment')
}

/** `set`, `export` and their like print every variable when they are told nothing. */
const variables: Special = (call, context, run) => {
  const bare = operandsOf(call).length === 0 && !call.args.some((arg) => /^[-+][a-oq-zA-Z]/.test(arg))
  if (bare) environment({ ...call, args: [], open: [] }, context, run)
}

const crontab: Special = (call, { effects }) => {
  if (call.args.includes('-r')) raise(effects, DESTROY, 'the table of timed commands is deleted')
  else if (!call.args.includes('-l')) raise(effects, DESTROY, 'commands that run later')
}

const dd: Special = (call, { effects }) => {
  for (const arg of call.args) {
    if (arg.startsWith('of=')) raise(effects, pathKindOf(arg.slice(3)).writes, '`dd` writes what it is told')
    if (arg.startsWith('if=')) raise(effects, pathKindOf(arg.slice(3)).reads)
  }
}

const tar: Special = (call, { effects }) => {
  if (
    call.args.some(
      (arg) =>
        /^--(to-command|checkpoint-action|use-compress-program|rsh-command|info-script)/.test(arg) ||
        arg === '-I',
    )
  )
    raise(effects, EXECUTE, '`tar` that runs commands')
  const mode = call.args[0] ?? ''
  if (!/^(-?[a-zA-Z]*t|--list)/.test(mode) || /[xcru]/.test(mode.replace('--list', '')))
    raise(effects, WRITE, 'an archive is written or unpacked')
}

const rsync: Special = (call, { effects }) => {
  const remote = isOpen(call) || operandsOf(call).some((operand) => /^[^/]+:/.test(operand))
  raise(effects, remote ? SEND : WRITE, remote ? '`rsync` with another host' : '`rsync` on this machine')
  if (call.args.some((arg) => arg.startsWith('--del') || arg === '--remove-source-files'))
    raise(effects, { reversibility: 'irreversible' }, '`rsync` that deletes')
  if (hasOption(call, 'e', '--rsh')) raise(effects, EXECUTE)
}

const database: Special = (call, { effects }) => {
  raise(effects, EXECUTE, 'a client of a database')
  const at = call.args.findIndex((arg) => /^(-e|-c|-q|--execute|--command|--eval|-Q)$/.test(arg))
  const given = at >= 0 ? call.args[at + 1] : call.name === 'sqlite3' ? operandsOf(call)[1] : call.fed
  if (given !== undefined) readSql(given, effects)
}

/** A name that is looked up can carry something out, as can an address that is pinged. */
const lookup: Special = (call, { effects }) => {
  if (isOpen(call))
    raise(effects, { reversibility: 'irreversible' }, 'a request that carries what only the run decides')
}

const su: Special = (call, context, run) => {
  signal(context.effects, 'privileged', 1)
  raise(context.effects, EXECUTE, 'another user runs it')
  if (hasOption(call, 'c', '--command')) shell({ ...call, name: 'sh' }, context, run)
}

/** Secrets are known by the names of what holds them. */
export const isSecretName = (name: string): boolean =>
  name.length <= 128 && /secret|token|passw|api_?key|private_?key|credential|access_?key/i.test(name)

const codeRunner: Special = (call, { effects }) => {
  for (const arg of call.args) raiseWords(arg, effects)
}

/** Special readings by name, with whether the command's kind counts too (`adds`) or the reading alone (`tells`). */
const TELLS: readonly (readonly [string, Special])[] = [
  ['sh bash zsh dash ash ksh fish csh tcsh rbash', shell],
  ['eval', evaluate],
  [
    'python python2 python3 ipython ipython3 pypy pypy3 node nodejs deno perl ruby irb php lua luajit Rscript R tclsh ocaml ghci julia groovy scala',
    interpreter,
  ],
  ['curl wget', readFetch],
  ['rm unlink', remove],
  ['printenv', environment],
  ['crontab', crontab],
  ['dd', dd],
  ['tar bsdtar', tar],
  ['rsync', rsync],
  ['su runuser pkexec', su],
  ['mysql mariadb psql sqlite3 duckdb clickhouse-client sqlcmd', database],
]
const ADDS: readonly (readonly [string, Special])[] = [
  ['find', find],
  ['sed', sed],
  ['awk gawk mawk nawk', awk],
  ['set export declare typeset', variables],
  ['ping ping6 dig nslookup host whois traceroute tracepath lynx w3m links mtr', lookup],
  ['osascript powershell pwsh cmd', codeRunner],
]

const tabled = (rows: readonly (readonly [string, Special])[]): ReadonlyMap<string, Special> =>
  new Map(rows.flatMap(([names, special]) => words(names).map((name) => [name, special] as const)))

export const TELLING: ReadonlyMap<string, Special> = tabled(TELLS)
export const ADDING: ReadonlyMap<string, Special> = tabled(ADDS)
