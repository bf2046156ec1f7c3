import type { Organisation } from '@plimsoll/contracts'
import { type Effects, raise, signal, type Place, PLACES } from '../effects.js'
import { placeOf } from '../web.js'
import { COMMAND_LABELS } from './programs/commands.js'

/** What reading one shell text carries along. */
export interface ShellContext {
  /** The text that is read. */
  readonly text: string
  readonly effects: Effects
  readonly organisation: Organisation | undefined
  /** How deep in shells within shells, and how many nodes may still be looked at. */
  readonly depth: number
  readonly budget: { nodes: number }
  /** What the text gives its variables. */
  readonly variables: Variables
  /** Standard input is something that only the run decides: a pipe, a file. */
  readonly piped: boolean
  /** Reads a text that a command hands to another shell. */
  readonly nested: (text: string, context: ShellContext) => void
}

/** Variables that an argument may begin with; `$` stands for anything that no assignment in the text tells. */
export type Loose = readonly string[] | undefined

/** One simple command, as far as its text tells. */
export interface Call {
  readonly name: string
  readonly args: readonly string[]
  /** Whether the argument at the same place holds something that only the run decides: a variable, a substitution. */
  readonly open: readonly boolean[]
  /** Set where the argument at the same place may turn out to be an option, or several words. */
  readonly loose: readonly Loose[]
  /** Text that it is fed from a here-document or here-string; undefined where there is none. */
  readonly fed: string | undefined
  /** Its standard input is something that only the run decides, a here-document with substitutions included. */
  readonly piped: boolean
}

/** The words of `call` from argument `at` on, as a command of its own; undefined where none is left. */
export function restOf(call: Call, at: number): Call | undefined {
  const name = call.args[at]
  if (name === undefined) return undefined
  const known = call.open[at] === true ? '$' : name
  return {
    ...call,
    name: known,
    args: call.args.slice(at + 1),
    open: call.open.slice(at + 1),
    loose: call.loose.slice(at + 1),
  }
}

/** The call with its first `end` arguments only. */
export const upTo = (call: Call, end: number): Call => ({
  ...call,
  args: call.args.slice(0, end),
  open: call.open.slice(0, end),
  loose: call.loose.slice(0, end),
})

/** The call with one more argument that only the run decides. */
export const withUnknown = (call: Call): Call => ({
  ...call,
  args: [...call.args, '$'],
  open: [...call.open, true],
  loose: [...call.loose, ['$']],
})

export const isOpen = (call: Call): boolean => call.open.includes(true)

/** Arguments that are no options; includes the values of options. */
export const operandsOf = (call: Call): string[] =>
  call.args.filter((arg) => !arg.startsWith('-') || arg === '-')

/** Whether a short option such as `i` stands alone or among others (`-ni`), or any of `long` is given. */
export function hasOption(call: Call, short: string, ...long: readonly string[]): boolean {
  return call.args.some((arg) => {
    if (arg.startsWith('--')) return long.some((name) => arg === name || arg.startsWith(`${name}=`))
    return arg.startsWith('-') && short.split('').some((letter) => arg.includes(letter, 1))
  })
}

const { ASK, SEND } = COMMAND_LABELS

/** Where a host goes that stands alone in an argument. What is no host that can be read is outside. */
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

/** A name that is looked up can carry something out, as can an address that is pinged: whole where its words stand in the arguments. */
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

/** A list of names from a file, a header or a body. */
const LOADS = /(?:^| )(?:-f|-[a-zA-Z]*p|-post_data|-cfg|-cmd_script|--filename)/

/** Commands that send something anywhere: what they are fed and their files are not in their arguments. */
export function readSender(_: Call, context: ShellContext): void {
  raise(context.effects, SEND, 'a command that can send anything anywhere')
  signal(context.effects, 'outside', 1)
}

/** `openssl s_client -connect host:443`, `redis-cli -h host`: a client of another host, if it names a host other than this machine. */
export function readConnection(call: Call, context: ShellContext): void {
  if (call.name === 'openssl' && !/^s_(?:client|time)$|^ocsp$|^ts$/.test(call.args[0] ?? '')) return
  const at = call.args.findIndex((arg) => /^(?:-h|-u|--host|-connect|-url|-proxy)$/.test(arg))
  const host = at < 0 ? call.args.find((arg) => /[:@/]/.test(arg)) : (call.args[at + 1] ?? '')
  if (host === undefined && call.name !== 'openssl') return
  if (isOpen(call) || placeOfHost(host ?? '', context) !== 'local') readSender(call, context)
}

/** A text that the shell may work out as arithmetic: a substitution in it runs, quoted or not. */
export function readSubscript(text: string, context: ShellContext): void {
  if (!/\$\(|`/.test(text)) return
  raise(context.effects, COMMAND_LABELS.EXECUTE, 'a subscript that runs commands')
  context.nested(`: ${text.replace(/^[^$`]*/, '')}`, context)
}

/** Names of variables that one text may give; beyond them nothing is known. */
const NAMES_MAX = 512

/** What a word that begins with a variable must not turn out to be: an option or several words; a place on the network. */
export type Demand = 'option' | 'place'

/**
 * What a text gives its variables. A variable is plain where every assignment to it in the whole text gives one closed word that is no
 * option and no place on the network; so `for f in *.py; do sed -n 1p "$f"; done` is understood. As a loop may use a variable before the
 * text gives it another value, demands are settled at the end.
 */
export interface Variables {
  readonly give: (name: string, isPlain: boolean) => void
  readonly demand: (names: readonly string[], demand: Demand) => void
  /** Demands that some variable does not meet. */
  readonly unmet: () => ReadonlySet<Demand>
}

/** Variables that a login gives, each one path or one name. */
const GIVEN = ['HOME', 'PWD', 'OLDPWD', 'USER', 'LOGNAME', 'TMPDIR', 'HOSTNAME', '?', '#', '$', '!']

export function createVariables(): Variables {
  const plain = new Map<string, boolean>(GIVEN.map((name) => [name, true]))
  const demands: Record<Demand, Set<string>> = { option: new Set(), place: new Set() }
  return {
    give: (name, isPlain) => {
      if (plain.size < NAMES_MAX || plain.has(name)) plain.set(name, isPlain && plain.get(name) !== false)
    },
    demand: (names, demand) => {
      for (const name of names) demands[demand].add(demands[demand].size < NAMES_MAX ? name : '@')
    },
    unmet: () =>
      new Set(
        (['option', 'place'] as const).filter((demand) =>
          [...demands[demand]].some((name) => plain.get(name) !== true),
        ),
      ),
  }
}
