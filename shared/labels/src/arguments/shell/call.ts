import { longPattern } from '../../text/data.js'
import type { Organisation } from '@plimsoll/contracts'
import { type Effects, raise, signal, type Place, PLACES } from '../effects.js'
import { placeOf } from '../web.js'
import { COMMAND_LABELS } from './programs/commands.js'

/** The words for which loops run their commands, by their variables. */
export type Loops = ReadonlyMap<string, readonly string[]>

/** State that is passed along while one shell text is read. */
export interface ShellContext {
  /** The text that is read, and the whole text around it. */
  readonly text: string
  readonly whole: string
  /** Whether the whole text has Plimsoll. */
  readonly mentionsOwn: boolean
  /** Whether it runs something in the background, and whether it takes in settings of what people use. */
  readonly isApart: boolean
  readonly isLive: boolean
  readonly effects: Effects
  readonly organisation: Organisation | undefined
  /** Nesting depth of shells, and how many nodes may still be visited. */
  readonly depth: number
  readonly budget: { nodes: number }
  /** Assignments in the text. */
  readonly variables: Variables
  /** Whether standard input is known only at run time: a pipe or a file. */
  readonly piped: boolean
  /** Whether a variable before the command chooses the database of tests, which each run makes again. */
  readonly isOfTest?: boolean
  /** The words of the loops that it is in. */
  readonly loops?: Loops | undefined
  /** Called with each command that is read, wrapped ones and those of other shells too. */
  readonly seen?: ((call: Call) => void) | undefined
  /** Reads text that a command passes to another shell. */
  readonly nested: (text: string, context: ShellContext) => void
}

/** Stands for a value that no variable of the text holds. No string, as a variable may have any name: `$` is that of the process's number. */
export const UNKNOWN_VALUE = Symbol('unknown value')

/** The name of a variable, or the mark of a value that is known only at run time. */
export type VariableName = string | typeof UNKNOWN_VALUE

/** Variables at the start of an argument. Undefined if there are none. */
export type Loose = readonly VariableName[] | undefined

/** One simple command, as far as its text shows. */
export interface Call {
  readonly name: string
  readonly args: readonly string[]
  /** For each argument: whether it contains a variable or a substitution, so that its value is known only at run time. */
  readonly open: readonly boolean[]
  /** For each argument: set if it may expand to an option or to several words. */
  readonly loose: readonly Loose[]
  /** Text from a here-document or here-string; undefined if there is none. */
  readonly fed: string | undefined
  /** The file that is its standard input. */
  readonly fedFile: string | undefined
  /** Whether standard input is known only at run time, including here-documents with substitutions. */
  readonly piped: boolean
}

/** Reads more from a command's arguments than its kind shows. `run` reads a command that it starts. */
export type Special = (
  call: Call,
  context: ShellContext,
  run: (call: Call, context: ShellContext) => void,
) => void

/** The words of `call` from argument `at` on, before `end`, as a command; undefined if none is left. */
export function restOf(call: Call, at: number, end = call.args.length): Call | undefined {
  const name = call.args[at]
  if (name === undefined) return undefined
  const known = call.open[at] === true ? '$' : name
  return {
    ...call,
    name: known,
    args: call.args.slice(at + 1, end),
    open: call.open.slice(at + 1, end),
    loose: call.loose.slice(at + 1, end),
  }
}

/** `call` with an added argument that is known only at run time. */
export const withUnknown = (call: Call): Call => ({
  ...call,
  args: [...call.args, '$'],
  open: [...call.open, true],
  loose: [...call.loose, [UNKNOWN_VALUE]],
})

export const isOpen = (call: Call): boolean => call.open.includes(true)

/** Arguments that are not options, including the values of options. About six readers ask for those of one command in turn. */
export function operandsOf(call: Call): readonly string[] {
  if (call !== latest.call) {
    latest.call = call
    latest.operands = call.args.filter((arg) => !arg.startsWith('-') || arg === '-')
  }
  return latest.operands
}

const latest: { call: Call | undefined; operands: readonly string[] } = { call: undefined, operands: [] }

/** Joins words to a command line. Each word is quoted unless it is plain, so that none is read as syntax. */
export const quoted = (words: readonly string[]): string =>
  words.map((word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ')

/** Whether a short option such as `i` is given, alone or combined (`-ni`), or one of `long`. */
export function hasOption(call: Call, short: string, ...long: readonly string[]): boolean {
  return call.args.some((arg) => {
    if (arg.startsWith('--')) return long.some((name) => arg === name || arg.startsWith(`${name}=`))
    return arg.startsWith('-') && short.split('').some((letter) => arg.includes(letter, 1))
  })
}

const { ASK, SEND } = COMMAND_LABELS

/** The place of a bare host in an argument. Anything unreadable counts as outside. */
export function placeOfHost(host: string, { organisation }: ShellContext): Place {
  if (host === '' || /[\s{}*?$`\\]/.test(host)) return 'outside'
  return placeOf(host, organisation) ?? 'outside'
}

export const farther = (a: Place | undefined, b: Place): Place =>
  a !== undefined && PLACES.indexOf(a) > PLACES.indexOf(b) ? a : b

/** Marks a step that reaches a host outside, or an unknown host. */
export function reach(place: Place, { effects }: ShellContext): void {
  if (place === 'outside') signal(effects, 'outside', 1)
}

/** Reads DNS look-ups and pings, which can carry data out. Complete if all words are literal. */
export function readLookup(call: Call, context: ShellContext): void {
  const { effects } = context
  const places = operandsOf(call).map((host) => placeOfHost(host.replace(/^@/, ''), context))
  reach(isOpen(call) ? 'outside' : places.reduce<Place>(farther, 'local'), context)
  if (isOpen(call))
    return raise(
      effects,
      { ...ASK, reversibility: 'irreversible' },
      'a request that carries what only the run decides',
    )
  raise(effects, ASK, 'a name or an address is looked up', !LOADS.test(call.args.join(' ')))
}

/** Options for a file of names, a header or a body. */
const LOADS = longPattern('call.LOADS')

/** Reads commands that can send anything anywhere. Their input and files are not in the arguments. */
export function readSender(call: Call, context: ShellContext): void {
  if (call.args.length === 1 && /^(?:-V|--version)$/.test(call.args[0] ?? ''))
    return raise(context.effects, COMMAND_LABELS.LOOK, 'a command that says its version')
  if (
    /^(?:nc|ncat|netcat)$/.test(call.name) &&
    hasOption(call, 'z') &&
    !isOpen(call) &&
    call.fed === undefined
  )
    return raise(context.effects, ASK, 'a port is tried', true)
  raise(context.effects, SEND, 'a command that can send anything anywhere')
  signal(context.effects, 'outside', 1)
}

/** Reads clients of other hosts: `openssl s_client -connect host:443`, `redis-cli -h host`. Does nothing for this machine. */
export function readConnection(call: Call, context: ShellContext): void {
  if (call.name === 'openssl' && !/^s_(?:client|time)$|^ocsp$|^ts$/.test(call.args[0] ?? '')) return
  const at = call.args.findIndex((arg) => /^(?:-h|-u|--host|-connect|-url|-proxy)$/.test(arg))
  const host = at < 0 ? call.args.find((arg) => /[:@/]/.test(arg)) : (call.args[at + 1] ?? '')
  if (host === undefined && call.name !== 'openssl') return
  if (isOpen(call) || placeOfHost(host ?? '', context) !== 'local') readSender(call, context)
}

/** Reads text that the shell may evaluate as arithmetic: substitutions in it run, even if quoted. */
export function readSubscript(text: string, context: ShellContext): void {
  if (!/\$\(|`/.test(text)) return
  raise(context.effects, COMMAND_LABELS.EXECUTE, 'a subscript that runs commands')
  context.nested(`: ${text.replace(/^[^$`]*/, '')}`, context)
}

/** Variables tracked per text; with more, nothing is known. */
const NAMES_MAX = 512

/** What a word that begins with a variable must not expand to: an option or several words, or a place on the network. */
export type Demand = 'option' | 'place'

/**
 * Tracks the variables of a text. A variable is plain if every assignment in the whole text is one literal word that is no option and no
 * place on the network, so `for f in *.py; do sed -n 1p "$f"; done` is understood. Demands are checked at the end, because a loop may use a
 * variable before a later assignment.
 */
export interface Variables {
  readonly give: (name: string, isPlain: boolean) => void
  readonly demand: (names: readonly VariableName[], demand: Demand) => void
  /** Demands that a variable does not meet. */
  readonly unmet: () => ReadonlySet<Demand>
}

/** Variables set at login; each holds one path or one name. */
const GIVEN = ['HOME', 'PWD', 'OLDPWD', 'USER', 'LOGNAME', 'TMPDIR', 'HOSTNAME', '?', '#', '$', '!']

export function createVariables(): Variables {
  const plain = new Map<string, boolean>(GIVEN.map((name) => [name, true]))
  const demands: Record<Demand, Set<VariableName>> = { option: new Set(), place: new Set() }
  return {
    give: (name, isPlain) => {
      if (plain.size < NAMES_MAX || plain.has(name)) plain.set(name, isPlain && plain.get(name) !== false)
    },
    demand: (names, demand) => {
      for (const name of names) demands[demand].add(demands[demand].size < NAMES_MAX ? name : UNKNOWN_VALUE)
    },
    unmet: () =>
      new Set(
        (['option', 'place'] as const).filter((demand) =>
          [...demands[demand]].some((name) => name === UNKNOWN_VALUE || plain.get(name) !== true),
        ),
      ),
  }
}
