import { longPattern } from '../text/data.js'
import type { ArgumentReading, CatalogueEntry } from '@plimsoll/contracts'
import { valuesOf } from '../tools/values.js'
import { wholeCommand } from './beside-command.js'
import type { Call } from './effects.js'
import { readArgument } from './readings.js'
import { quoted } from './shell/call.js'

/** Arguments of one call that are read. */
const ARGUMENTS_MAX = 256

/** Readings of arguments that are run. */
const PROGRAMS: ReadonlySet<string> = new Set(['shell', 'code', 'sql'])

/**
 * Reads arguments that the entry of a program-running tool does not list: any of them may be the program. A list of words next to a command
 * belongs to that command.
 */
export function readUnlisted(
  args: Readonly<Record<string, unknown>>,
  entry: CatalogueEntry | undefined,
  call: Call,
): void {
  const listed = entry?.arguments ?? []
  const program = listed.find(({ as }) => PROGRAMS.has(as))
  if (!program) return
  const isKnown = (name: string): boolean =>
    name === '*' || listed.some(({ in: own }) => own === name || own === '*')
  const isThere = listed.some(
    ({ in: own, as }) => PROGRAMS.has(as) && (own === '*' || Object.hasOwn(args, own)),
  )
  const others = Object.keys(args)
    .slice(0, ARGUMENTS_MAX)
    .filter((name) => !isKnown(name))
  const { understood } = call
  const command = args[program.in]
  if (program.as === 'shell' && typeof command === 'string') {
    const beside = Object.fromEntries(others.map((name) => [name, args[name]]))
    const whole = others.length > 0 ? wholeCommand(command, beside) : undefined
    if (whole !== undefined) readArgument(whole, 'shell', call)
  }
  for (const name of others) {
    if (!isThere && typeof args[name] !== 'number' && typeof args[name] !== 'boolean')
      readArgument(args[name], program.as, call, name)
    else if (Array.isArray(args[name]) && /^(?:args|argv|arguments|params|parameters)$/i.test(name))
      readWords([args[program.in], ...(args[name] as unknown[])], program.as, call)
  }
  // Unlisted arguments only raise labels, because their use by the tool is unknown.
  call.understood = understood
}

/** Reads a program with its arguments. */
function readWords(words: readonly unknown[], as: ArgumentReading, call: Call): void {
  const { scalars, cut } = valuesOf(words)
  readArgument(as === 'shell' && !cut && scalars.length > 1 ? quoted(scalars.map(String)) : words, as, call)
}

/**
 * How an argument of a tool that runs programs is read, if its name ends with a word for a program that is no other argument's:
 * `cell_source`, `cli_command`, words behind a module's name.
 */
export function programIn(name: string, value: unknown, { worst }: Call): 'shell' | 'code' | undefined {
  if (worst?.capability !== 'execute' || typeof value !== 'string') return undefined
  if (name === 'source') return /[\n(]/.test(value.slice(0, 4_096)) ? 'code' : undefined
  if (/^(?:args|arguments|argv)$/i.test(name)) return 'shell'
  const [, word = ''] = PROGRAM_WORD.exec(name) ?? []
  return word === '' ? undefined : /^(?:command|cmd|commandline)$/i.test(word) ? 'shell' : 'code'
}
const PROGRAM_WORD = longPattern('unlisted-programs.PROGRAM_WORD')
