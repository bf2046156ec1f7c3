import { longPattern } from '../../../text/data.js'
import { raiseWords } from '../../code.js'
import { raise, runsFile, signal } from '../../effects.js'
import { isScript, noteRun } from '../../scripts.js'
import { actsOn, namesOfPath, wordsIn } from '../../objects.js'
import { pathKindOf } from '../../paths.js'
import { noteChange } from '../../limits/names-of-change.js'
import { fetchesInstaller } from '../../runs-later.js'
import { noteWritten } from '../../written-code.js'
import { readAssignmentWord } from '../assignments.js'
import {
  type Call,
  type ShellContext,
  type Special,
  hasOption,
  isOpen,
  operandsOf,
  readSender,
  readSubscript,
  restOf,
  withUnknown,
} from '../call.js'
import { opaque } from './irreversible.js'
import { COMMAND_LABELS } from './commands.js'
import { deletes, findsMade } from './deletions.js'
import { typedKeys } from './typed-keys.js'
import { isHelp } from './subcommands.js'
import { elsewhere } from '../../world/known-world.js'
import { isThrownAway } from '../../world/thrown-away.js'

const { EXECUTE, WRITE, DESTROY, LOOK } = COMMAND_LABELS
/** Reads `sh -c TEXT`, `sh FILE`, and `… | sh`, where the text comes from elsewhere. */
export const shell: Special = (call, context) => {
  const { effects } = context
  const { at, isText } = operandOfShell(call)
  const text = call.args[at]
  if (isText) {
    if (text === undefined) opaque(effects, 'a shell runs text that only the run decides')
    // The text is read below, where a command name known only at run time is found.
    else if (call.open[at] === true) raise(effects, DESTROY, 'a shell runs text that only the run decides')
    if (text !== undefined) context.nested(text, { ...context, piped: true })
    return
  }
  if (isHelp(call)) return
  const isFed =
    call.fed !== undefined &&
    (text === undefined || call.args.slice(0, at).some((arg) => /^-[a-z]*s/.test(arg)))
  // A shell with literal text does no more than that text.
  if (text !== undefined && !isFed && !call.piped && call.open[at] !== true && isScript(text))
    return runsFile(effects, text, EXECUTE, 'a script is run')
  if (!isFed || call.piped) raise(effects, EXECUTE, 'a shell is started')
  if (isFed) context.nested(call.fed ?? '', context)
  else if (call.piped && fetchesInstaller(context.text))
    raise(effects, EXECUTE, 'an installer that many people run')
  else if (text === undefined || call.args.some((arg) => /^-[a-z]*s$/.test(arg)))
    opaque(effects, 'a shell runs what it is fed')
}

/** Index of the first word after a shell's options, and whether it is the text to run: `bash -cx TEXT`, `sh -c -e -- TEXT`. */
function operandOfShell(call: Call): { at: number; isText: boolean } {
  let isText = false
  let at = 0
  for (; at < call.args.length; at += 1) {
    const arg = call.args[at] ?? ''
    if (call.open[at] === true) break
    if (arg === '--' || arg === '-') {
      at += 1
      break
    }
    if (/^[-+][oO]$|^--(?:rcfile|init-file)$/.test(arg)) at += 1
    else if (!/^[-+]./.test(arg)) break
    else if (/^-[a-zA-Z]*c/.test(arg)) isText = true
  }
  return { at, isText }
}

export const evaluate: Special = (call, context) => {
  raise(context.effects, EXECUTE, 'text is run as commands')
  if (isOpen(call)) opaque(context.effects, 'text that only the run decides is run as commands')
  context.nested(call.args.join(' '), context)
}

export const find: Special = (call, context, run) => {
  const { effects, variables } = context
  for (const loose of call.loose) if (loose) variables.demand(loose, 'option')
  for (let i = 0; i < call.args.length; i += 1) {
    const arg = call.args[i] ?? ''
    if (arg === '-delete') {
      for (const place of placesOf(call)) noteChange(place, effects)
      if (findsMade(call)) raise(effects, WRITE, '`find` that deletes what can be made again')
      else {
        const isDisposable = !isOpen(call) && findsThrownAway(call, effects)
        deletes('`find` that deletes', effects, isDisposable)
        if (!isOpen(call)) actsOnFound(call, effects, isDisposable)
      }
    }
    if (/^-f(print0?|printf|ls)$/.test(arg)) {
      raise(effects, WRITE, '`find` that writes a file')
      noteWritten(call.args[i + 1] ?? '', undefined, effects)
    }
    if (!/^-(exec|execdir|ok|okdir)$/.test(arg)) continue
    let end = i + 2
    while (end < call.args.length && call.args[end] !== ';' && call.args[end] !== '+') end += 1
    const own = restOf(call, i + 1, end)
    if (!own) continue
    // The names that `find` passes are known only at run time.
    const { length } = effects.objects
    const { doesDelete: before } = effects.signals
    const { losses } = effects
    delete effects.signals.doesDelete
    run(
      {
        ...own,
        open: own.open.map((open, at) => open || own.args[at]?.includes('{}') === true),
        piped: true,
      },
      context,
    )
    // What is found is made again.
    if (/^(?:rm|rmdir|unlink)$/.test(own.name) && findsMade(call)) {
      delete effects.signals.doesDelete
      effects.losses = losses
    }
    if (effects.signals.doesDelete !== undefined) {
      for (const place of placesOf(call)) noteChange(place, effects)
      if (effects.objects.length === length && !isOpen(call)) actsOnFound(call, effects)
    }
    if (before !== undefined) signal(effects, 'doesDelete', before)
    // Skips the arguments of the command, because another `-exec` among them belongs to it.
    i += own.args.length + 1
  }
}

const actsOnFound = (call: Call, effects: ShellContext['effects'], isDisposable = false): void =>
  actsOn(effects, 'delete', {
    kind: 'path',
    names: namesOfFound(call),
    thing: placesOf(call).join(' '),
    ...(isDisposable && { reach: 'disposable' }),
  })

/** Whether all places where it looks are lost with the machine; a link among them leads elsewhere. */
const findsThrownAway = (call: Call, effects: ShellContext['effects']): boolean =>
  !call.args.some((arg) => /^-(?:L|follow)$/.test(arg)) &&
  placesOf(call).length > 0 &&
  placesOf(call).every((place) => isThrownAway(place, effects))

/** Where `find` looks. */
function placesOf({ args }: Call): readonly string[] {
  const end = args.findIndex((arg) => arg.startsWith('-'))
  return args.slice(0, Math.max(0, end))
}

/**
 * Texts that name what `find` finds: where it looks, the names and kinds that it looks for. All of the working folder is named by what is
 * looked for in it alone.
 */
function namesOfFound(call: Call): string[] {
  const { args } = call
  const names = args.filter(
    (_, i) => /^-i?(?:name|path)$/.test(args[i - 1] ?? '') && !/^(?:!|-not)$/.test(args[i - 2] ?? ''),
  )
  const empty = args.includes('-empty') ? ['empty'] : []
  const places = placesOf(call).filter((place) => !/^(?:\.\/?|\*)$/.test(place))
  const isChosen = names.length > 0 || empty.length > 0 || places.length > 0
  const kinds = args.flatMap((arg, i) => (args[i - 1] === '-type' ? (OF_TYPE[arg] ?? []) : []))
  return [
    ...names.flatMap((name) => [name, ...wordsIn(name)]),
    ...empty,
    ...(isChosen ? kinds : []),
    ...(isChosen ? placesOf(call) : []).flatMap(namesOfPath),
  ]
}

const OF_TYPE: Readonly<Record<string, readonly string[]>> = {
  f: ['file'],
  d: ['directory', 'folder'],
  l: ['link'],
}

export const environment: Special = (call, { effects }) => {
  const named = operandsOf(call)
  if (named.length === 0)
    raise(effects, { ...LOOK, confidentiality: 'credentials' }, 'the environment is printed')
  for (const name of named)
    if (isSecretName(name)) raise(effects, { confidentiality: 'credentials' }, 'a secret of the environment')
}

/** Reads `set`, `export` and others, which print every variable if they get no arguments. */
export const variables: Special = (call, context, run) => {
  for (const [i, arg] of call.args.entries()) readAssignmentWord(arg, call.open[i] === true, context)
  if (call.loose.some((loose) => loose !== undefined))
    raise(context.effects, EXECUTE, 'a variable of a name that only the run decides')
  subscripts(call, context)
  const bare = operandsOf(call).length === 0 && !call.args.some((arg) => /^[-+][a-oq-zA-Z]/.test(arg))
  if (bare) environment({ ...call, args: [], open: [] }, context, run)
}

export const dd: Special = (call, { effects }) => {
  for (const arg of call.args) {
    if (arg.startsWith('of=')) raise(effects, pathKindOf(arg.slice(3)).writes, '`dd` writes a file')
    if (arg.startsWith('if=')) raise(effects, pathKindOf(arg.slice(3)).reads)
  }
}

export const tar: Special = (call, context) => {
  const { effects, variables } = context
  for (const loose of call.loose) if (loose) variables.demand(loose, 'option')
  const options = call.args.filter((arg, i) => arg.startsWith('-') || i === 0)
  if (options.some((arg) => STARTS_BY_OPTION.test(arg))) raise(effects, EXECUTE, '`tar` that runs commands')
  // `host:file` is an archive on another host.
  if (
    !call.args.includes('--force-local') &&
    call.args.some((arg) => /^(?:--file=|-?[a-zA-Z]*f)?[^/:]+:/.test(arg))
  )
    readSender(call, context)
  const mode = call.args[0] ?? ''
  const lists = /^(-?[a-zA-Z]*t|--list)/.test(mode) && !/[xcru]/.test(mode.replace('--list', ''))
  if (lists) return
  raise(effects, WRITE, 'an archive is written or unpacked')
  if (options.some((arg) => /^-?[a-zA-Z]*x|^--(?:ex|get)/.test(arg))) signal(effects, 'code', 1)
}

/** Reads `source FILE`. What chooses the project's environment or a tool's version runs nothing of its own; nor does a file of variables. */
export const sourced: Special = (call, { effects }) => {
  const isPlain = call.args.length === 1 && ENVIRONMENT.test(call.args[0] ?? '')
  const [file = ''] = call.args
  if (isPlain) raise(effects, LOOK, 'an environment of the project is chosen')
  else if (call.args.length === 1 && VARIABLES.test(file)) {
    raise(effects, pathKindOf(file).reads, 'variables of the project are read', true)
    noteRun(file, effects)
  } else raise(effects, EXECUTE, 'a command that runs or configures something')
}
const ENVIRONMENT = longPattern('special.ENVIRONMENT')
const VARIABLES = longPattern('special.VARIABLES')

const aliased = (text: string): string => text.slice(text.indexOf('=') + 1).replace(/^(["'])(.*)\1$/s, '$2')

/** Reads text that the shell runs later: a trap, an alias, a callback. */
export const later: Special = (call, context) => {
  const texts =
    call.name === 'trap' ? operandsOf(call).slice(0, 1) : call.args.filter((arg) => /[\s=]/.test(arg))
  const isReset = call.name === 'trap' && (/^$|^-$|^\d+$/.test(texts[0] ?? '') || operandsOf(call).length < 2)
  if (isOpen(call)) raise(context.effects, EXECUTE, 'text that only the run decides is run later')
  if (isReset && !isOpen(call)) return
  if (call.name !== 'trap') raise(context.effects, EXECUTE, 'text is run later')
  for (const text of texts) context.nested(call.name === 'alias' ? aliased(text) : text, context)
}

/** Reads `mapfile -C TEXT`, `complete -C TEXT`, `bind -x TEXT`, `script -c TEXT`. */
export const callback: Special = (call, context) => {
  subscripts(call, context)
  for (const arg of call.args) if (/\s/.test(arg)) context.nested(arg, context)
}

/** Reads `parallel ::: 'text'`, which joins its words to command lines for a shell. */
export const parallel: Special = (call, context, run) => {
  raise(context.effects, EXECUTE, '`parallel` that runs command lines')
  // With `--sshlogin` they run on other hosts.
  elsewhere(context.effects, () => readLines(call, context, run))
}

const readLines: Special = (call, context, run) => {
  const at = call.args.findIndex((arg) => arg.startsWith(':::'))
  const command = call.args.findIndex((arg) => !arg.startsWith('-'))
  const own = command >= 0 && command !== at ? restOf(call, command) : undefined
  if (own) run(withUnknown(own), context)
  for (const arg of call.args) if (/\s/.test(arg)) context.nested(arg, context)
}

/** Reads names of variables as arguments: a subscript in one is evaluated and runs its substitutions. */
export function subscripts(call: Call, context: ShellContext): void {
  for (const [i, arg] of call.args.entries()) {
    // Its substitutions are visited as nodes.
    if (call.open[i] === true) continue
    if (arg.includes('[') || call.name === 'let') readSubscript(arg, context)
  }
}

/** Reads builtins that set variables to values known only at run time. */
export const reader: Special = (call, context) => {
  subscripts(call, context)
  for (const arg of operandsOf(call)) context.variables.give(arg, false)
}

export const su: Special = (call, context) => {
  signal(context.effects, 'privileged', 1)
  raise(context.effects, EXECUTE, 'another user runs it')
  if (hasOption(call, 'c', '--command'))
    for (const arg of call.args) if (/\s/.test(arg)) context.nested(arg, context)
}

/** Whether a variable or file holds a secret, by its name. */
export const isSecretName = (name: string): boolean => name.length <= 128 && SECRET_NAME.test(name)

export const keys: Special = (call, context) => {
  const text = typedKeys(call)
  if (text !== undefined && text !== '') context.nested(text, context)
}

export const codeRunner: Special = (call, { effects }) => {
  for (const arg of call.args) raiseWords(arg, effects)
}

const STARTS_BY_OPTION = longPattern('special.STARTS_BY_OPTION')

const SECRET_NAME = longPattern('special.SECRET_NAME')
