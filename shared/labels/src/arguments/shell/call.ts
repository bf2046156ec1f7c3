import type { Organisation } from '@plimsoll/contracts'
import type { Effects } from '../effects.js'
import type { Variables } from './variables.js'

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

/** Arguments that are no options, with options' own values not told apart. */
export const operandsOf = (call: Call): string[] =>
  call.args.filter((arg) => !arg.startsWith('-') || arg === '-')

/** Whether a short option such as `i` stands alone or among others (`-ni`), or any of `long` is given. */
export function hasOption(call: Call, short: string, ...long: readonly string[]): boolean {
  return call.args.some((arg) => {
    if (arg.startsWith('--')) return long.some((name) => arg === name || arg.startsWith(`${name}=`))
    return arg.startsWith('-') && short.split('').some((letter) => arg.includes(letter, 1))
  })
}
