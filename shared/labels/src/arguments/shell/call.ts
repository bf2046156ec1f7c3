import type { Organisation } from '@plimsoll/contracts'
import type { Effects } from '../effects.js'

/** What reading one shell text carries along. */
export interface ShellContext {
  readonly effects: Effects
  readonly organisation: Organisation | undefined
  /** How deep in shells within shells, and how many nodes may still be looked at. */
  readonly depth: number
  readonly budget: { nodes: number }
  /** Functions that the text itself defines; their bodies are read where they stand. */
  readonly functions: Set<string>
  /** Reads a text that a command hands to another shell. */
  readonly nested: (text: string, context: ShellContext) => void
}

/** One simple command, as far as its text tells. */
export interface Call {
  readonly name: string
  readonly args: readonly string[]
  /** Whether the argument at the same place holds something that only the run decides: a variable, a substitution. */
  readonly open: readonly boolean[]
  /** Text that it is fed from a here-document or here-string; undefined where there is none. */
  readonly fed: string | undefined
}

/** The words of `call` from argument `at` on, as a command of its own; undefined where none is left. */
export function restOf(call: Call, at: number): Call | undefined {
  const name = call.args[at]
  if (name === undefined) return undefined
  const known = call.open[at] === true ? '$' : name
  return { name: known, args: call.args.slice(at + 1), open: call.open.slice(at + 1), fed: call.fed }
}

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
