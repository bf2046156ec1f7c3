import { PlimsollError } from '@plimsoll/contracts'
import { type Command, type Context, type ExitCode, type Output, withSecretFiles } from './command.js'
import { helpOf, overview } from './format/help.js'
import { readRelease } from './format/terminal.js'
import { plainLines } from './format/text-table.js'

/** Runs `plimsoll argv…`. Never rejects: what goes wrong is told on stderr. */
export async function runCli(
  argv: readonly string[],
  commands: readonly Command[],
  context: Context,
): Promise<ExitCode> {
  const [first] = argv
  try {
    if (first === undefined) return misused(context, overview(commands))
    if (first === '--help' || first === '-h') return show(overview(commands), context)
    if (first === '--version') return show(`plimsoll ${readRelease()}\n`, context)
    if (first === 'help') return show(helpFor(argv.slice(1), commands), context)
    const family = familyOf(first, commands)
    if (family.length > 0 && !isCommand(first, commands) && isHelp(argv[1]))
      return show(overview(family), context)
    const { command, rest } = find(argv, commands)
    const run = command.parse(rest)
    if (!run) return show(helpOf(command), context)
    return await run({ ...context, env: withSecretFiles(context.env, commands) })
  } catch (error) {
    return explain(error, commandOf(argv, commands), context)
  }
}

const isHelp = (word: string | undefined): boolean => word === '--help' || word === '-h'

/** The commands whose name is of two words, the first of them `word`. */
const familyOf = (word: string, commands: readonly Command[]): readonly Command[] =>
  commands.filter(({ name }) => name.startsWith(`${word} `))

function helpFor(words: readonly string[], commands: readonly Command[]): string {
  const [first] = words
  if (first === undefined) return overview(commands)
  const family = familyOf(first, commands)
  return words.length === 1 && family.length > 0 && !isCommand(first, commands)
    ? overview(family)
    : helpOf(find(words, commands).command)
}

const isCommand = (word: string, commands: readonly Command[]): boolean =>
  commands.some(({ name }) => name === word)

/** The command that `argv` begins with; its name may be of two words, and these go first. */
function commandOf(argv: readonly string[], commands: readonly Command[]): Command | undefined {
  const [first = '', second = ''] = argv
  const named = (wanted: string) => commands.find(({ name }) => name === wanted)
  return named(`${first} ${second}`) ?? named(first)
}

function find(argv: readonly string[], commands: readonly Command[]) {
  const command = commandOf(argv, commands)
  if (command) return { command, rest: argv.slice(command.name.split(' ').length) }
  const [first = '', second] = argv
  const family = familyOf(first, commands)
  const known = (family.length > 0 ? family : commands).map(({ name }) => name).join(', ')
  const given = family.length > 0 && second !== undefined ? `${first} ${second}` : first
  throw new PlimsollError('usage_invalid', `unknown command \`${given}\`; there are ${known}`)
}

function show(text: string, { stdout }: Context): ExitCode {
  stdout.write(text)
  return 0
}

function misused({ stderr }: Context, text: string): ExitCode {
  stderr.write(text)
  return 2
}

const MISUSE: ReadonlySet<string> = new Set(['usage_invalid', 'config_invalid', 'document_invalid'])

function explain(error: unknown, command: Command | undefined, { stderr }: Context): ExitCode {
  if (!(error instanceof PlimsollError)) {
    // Ours to mend: the stack is what a report needs.
    stderr.write(`plimsoll: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
    return 1
  }
  // Messages name what was found in records as well as what was typed.
  stderr.write(plainLines(`plimsoll: ${error.code}: ${linesOf(error)}\n`))
  if (error.code === 'usage_invalid')
    stderr.write(`\`plimsoll ${command ? `${command.name} ` : ''}--help\` shows more\n`)
  return MISUSE.has(error.code) ? 2 : 1
}

/** What is wrong in a document is told a line each, where there is more than one thing. */
function linesOf({ message, details }: PlimsollError): string {
  const { problems } = details
  if (!Array.isArray(problems) || problems.length < 2) return message
  const reported = problems.join('; ')
  return message.endsWith(reported)
    ? [message.slice(0, -reported.length).trimEnd(), ...problems].join('\n  ')
    : message
}

/** How often a bar is drawn again at most, milliseconds. */
const REDRAW_MS = 100
const WIDTH = 28

/** How often work without an end is told of where nobody watches, milliseconds. */
const LINE_MS = 10_000

/** Shows how far a piece of work has come. */
export interface Progress {
  /** `share` is 0…1; undefined where the work has no end. */
  update(share: number | undefined, note: string): void
  /** Leaves the last state standing. */
  end(): void
}

/** A bar that is redrawn in place where a human watches; elsewhere one line for each tenth, or now and then where there is no end. */
export function createProgress(
  output: Output,
  label: string,
  now: () => number = () => performance.now(),
): Progress {
  return output.isTerminal ? createBar(output, label, now) : createLines(output, label, now)
}

function createBar(output: Output, label: string, now: () => number): Progress {
  let latest = ''
  let drawnAt = -Infinity
  const draw = () => {
    output.write(`\r${latest}\u001b[K`)
    drawnAt = now()
  }
  return {
    update: (share, note) => {
      latest = share === undefined ? `${label} ${note}` : `${label} ${barOf(share)} ${note}`
      if (now() - drawnAt >= REDRAW_MS) draw()
    },
    end: () => {
      if (latest === '') return
      draw()
      output.write('\n')
    },
  }
}

function barOf(share: number): string {
  const filled = Math.round(clamped(share) * WIDTH)
  return `[${'='.repeat(filled)}${' '.repeat(WIDTH - filled)}] ${percent(share)}`
}

function createLines(output: Output, label: string, now: () => number): Progress {
  let tenths = 0
  let reportedAt = -Infinity
  return {
    update: (share, note) => {
      if (share === undefined) {
        if (now() - reportedAt < LINE_MS) return
        reportedAt = now()
        output.write(`${label} ${note}\n`)
        return
      }
      const reached = Math.floor(clamped(share) * 10)
      if (reached <= tenths) return
      tenths = reached
      output.write(`${label} ${percent(share)} ${note}\n`)
    },
    end: () => undefined,
  }
}

const clamped = (share: number): number => (share >= 0 ? Math.min(share, 1) : 0)
const percent = (share: number): string => `${Math.floor(clamped(share) * 100)}%`.padStart(4)
