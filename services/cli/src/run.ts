import { PlimsollError } from '@plimsoll/contracts'
import type { Command, Context, ExitCode } from './command.js'
import { helpOf, overview } from './help.js'

/** Runs `plimsoll argv…`. Never rejects: what goes wrong is told on stderr. */
export async function runCli(
  argv: readonly string[],
  commands: readonly Command[],
  context: Context,
): Promise<ExitCode> {
  const [name, ...rest] = argv
  try {
    if (name === undefined) return misused(context, overview(commands))
    if (name === '--help' || name === '-h' || name === 'help') return showHelp(rest[0], commands, context)
    const command = find(name, commands)
    const run = command.parse(rest)
    if (run) return await run(context)
    context.stdout.write(helpOf(command))
    return 0
  } catch (error) {
    return explain(
      error,
      commands.find((each) => each.name === name),
      context,
    )
  }
}

function showHelp(name: string | undefined, commands: readonly Command[], { stdout }: Context): ExitCode {
  stdout.write(name === undefined ? overview(commands) : helpOf(find(name, commands)))
  return 0
}

function find(name: string, commands: readonly Command[]): Command {
  const command = commands.find((each) => each.name === name)
  if (command) return command
  const known = commands.map((each) => each.name).join(', ')
  throw new PlimsollError('usage_invalid', `unknown command \`${name}\`; there are ${known}`)
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
  stderr.write(`plimsoll: ${error.code}: ${error.message}\n`)
  if (error.code === 'usage_invalid')
    stderr.write(`\`plimsoll ${command ? `${command.name} ` : ''}--help\` tells more\n`)
  return MISUSE.has(error.code) ? 2 : 1
}
