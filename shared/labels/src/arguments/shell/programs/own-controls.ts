import { longPattern, readSet } from '../../../text/data.js'
import type { Special } from '../call.js'

/** Package runners, and runtimes that take a program's file: `npx plimsoll`, `npm exec -- plimsoll`, `node …/bin/plimsoll.js`. */
export const RUNNERS: ReadonlySet<string> = new Set(
  'npx bunx pnpx npm pnpm yarn bun node deno corepack'.split(' '),
)

/** Plimsoll's program as a word: a package with or without a version, an image, a file of it. */
const PROGRAM = longPattern('own-controls.PROGRAM')
/** Whether a word is Plimsoll's program. */
export const isProgram = (word: string): boolean => word.length <= 512 && PROGRAM.test(word)

/**
 * Commands by which people say what Plimsoll allows, with the second word where the first alone only looks. An agent that runs them answers
 * its own questions.
 */
const OPERATORS_ONLY: Readonly<Record<string, ReadonlySet<string> | 'all'>> = {
  appeal: 'all',
  approve: 'all',
  approvals: new Set(['revoke', 'forget']),
  // Who starts it names the people who answer there.
  console: 'all',
  control: 'all',
  declassify: 'all',
  // A hook that an agent feeds would say what its user wants.
  hook: 'all',
  publish: 'all',
  rebuild: 'all',
  mcp: new Set(['approve', 'unwrap']),
  // An agent does not keep or erase the proof of what it did.
  proof: new Set(['key', 'record', 'erase']),
  sessions: new Set(['label', 'end']),
  // Commands of earlier versions.
  activate: 'all',
  controls: 'all',
  mode: 'all',
  resume: 'all',
  shadow: 'all',
  stop: 'all',
}

/**
 * Whether a command line runs a command of Plimsoll that only operators may run, or a command that only the run decides: `plimsoll "$x"`. `words`:
 * those after the program's name. Words of options count too: `npx -p plimsoll plimsoll approve ID`. O(words).
 */
export function isOperatorsCommand(program: string, words: readonly string[]): boolean {
  if (isProgram(program)) return isOperatorsOnly(words)
  return (
    RUNNERS.has(program) &&
    !/^(?:i|add|install)$/.test(words[0] ?? '') &&
    words.some(
      (word, i) =>
        isProgram(word) && !isElsewhere(words, i, words[i + 1] ?? '') && isOperatorsOnly(words.slice(i + 1)),
    )
  )
}

/** Whether words behind the program are a command for operators, or only the run says which. */
export function isOperatorsOnly(words: readonly string[]): boolean {
  const [command = '', second = ''] = words.filter((word) => !word.startsWith('-'))
  if (words.length === 2 && /^(?:-h|--help)$/.test(words[1] ?? '')) return false
  const commands = Object.hasOwn(OPERATORS_ONLY, command) ? OPERATORS_ONLY[command] : undefined
  return commands === 'all' || commands?.has(second) === true || EXPANDS.test(commands ? second : command)
}

/**
 * Whether the program's word at `at`, which may be the name of a folder, a package or a container too, has a command for operators behind
 * it: `uvx plimsoll approve x`. What only the run says does not count.
 */
export function mayBeOperatorsOnly(words: readonly string[], at: number): boolean {
  const behind = words.slice(at + 1)
  const command = behind.find((word) => !word.startsWith('-')) ?? ''
  return Object.hasOwn(OPERATORS_ONLY, command) && !isElsewhere(words, at, command) && isOperatorsOnly(behind)
}

/** Whether the word is the folder or project in which another program works, and the command may be that program's: `make -C plimsoll stop`. */
const isElsewhere = (words: readonly string[], at: number, command: string): boolean =>
  COMMON.has(command) && OF_PLACE.test(words[at - 1] ?? '')
const OF_PLACE = longPattern('own-controls.OF_PLACE')

/** Commands that programs of others have too. */
const COMMON: ReadonlySet<string> = readSet('shell', 'commonWords')

/** Whether a first word alone says that a command is one for operators, whatever the program is called. */
export const isOwnWord = (word: string): boolean => OWN_WORDS.has(word)
const OWN_WORDS: ReadonlySet<string> = new Set('approve appeal declassify'.split(' '))

/** A variable, a substitution or a pattern; `$` stands for what `xargs` adds. No command of Plimsoll has these. */
const EXPANDS = /[$`*?[{<]/

/** Reads the command line of `npx -c 'a; b'`, `npm exec --call='a; b'` and `pnpm -c exec 'a; b'`. */
export const launcher: Special = ({ args }, context) => {
  const at = args.findIndex((arg) => /^-(?:c$|-call)/.test(arg))
  const text = at < 0 ? undefined : args.slice(at).find((arg) => /[\s$`]/.test(arg))
  if (text !== undefined) context.nested(text.replace(/^--call=/, ''), context)
}
