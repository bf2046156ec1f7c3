import type { Special } from '../call.js'

/** Package runners, and runtimes that take a program's file: `npx plimsoll`, `npm exec -- plimsoll`, `node …/bin/plimsoll.js`. */
export const RUNNERS: ReadonlySet<string> = new Set(
  'npx bunx pnpx npm pnpm yarn bun node deno corepack'.split(' '),
)

/** Plimsoll's program as a word: a package with or without a version, a file of it. */
const PROGRAM = /^(?:@plimsoll\/cli|plimsoll)(?:@[^/]*)?$|(?:^|[\\/])plimsoll(?:\.[cm]?js|\.cmd|\.ps1)?$/i

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
  if (PROGRAM.test(program)) return isOperatorsOnly(words)
  return (
    RUNNERS.has(program) &&
    !/^(?:i|add|install)$/.test(words[0] ?? '') &&
    words.some((word, i) => PROGRAM.test(word) && isOperatorsOnly(words.slice(i + 1)))
  )
}

function isOperatorsOnly(words: readonly string[]): boolean {
  const [command = '', second = ''] = words.filter((word) => !word.startsWith('-'))
  const commands = Object.hasOwn(OPERATORS_ONLY, command) ? OPERATORS_ONLY[command] : undefined
  return commands === 'all' || commands?.has(second) === true || EXPANDS.test(commands ? second : command)
}

/** A variable, a substitution or a pattern; `$` stands for what `xargs` adds. No command of Plimsoll has these. */
const EXPANDS = /[$`*?[{<]/

/** Reads the command line of `npx -c 'a; b'`, `npm exec --call='a; b'` and `pnpm -c exec 'a; b'`. */
export const launcher: Special = ({ args }, context) => {
  const at = args.findIndex((arg) => /^-(?:c$|-call)/.test(arg))
  const text = at < 0 ? undefined : args.slice(at).find((arg) => /[\s$`]/.test(arg))
  if (text !== undefined) context.nested(text.replace(/^--call=/, ''), context)
}
