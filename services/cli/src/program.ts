import { PlimsollError } from '@plimsoll/contracts/errors'
import { Argument, Command as Program, CommanderError, type Help } from 'commander'
import { type Command, type Context, type ExitCode, withSecretFiles } from './command.js'
import { readRelease } from './format/terminal.js'
import { plainLines } from './format/text.js'

/** What the commands of two words are about. */
export const GROUPS: Readonly<Record<string, string>> = {
  approvals: 'shows what waits for approval, and takes back approvals for a session',
  control: 'shows and changes what the monitors enforce: versions, modes, stops',
  dlq: 'shows dead letters, the events that monitors set aside, and sends them again',
  policy: 'checks and tests policies',
  proof: 'records what was decided so that anybody can verify it, and makes receipts of steps',
  sessions: 'shows sessions, and records what really happened in them',
}

type Run = (command: Command, values: never, operands: readonly string[]) => Promise<void>

/** Commander's form of the commands: parses, and writes the help. `write` gets the help, `run` the command that was called. */
export function createProgram(
  commands: readonly Command[],
  run: Run = async () => undefined,
  write: (text: string) => void = () => undefined,
): Program {
  const program = new Program('plimsoll')
    .description('Verdicts on the tool calls of agents, before they run.')
    .version(`plimsoll ${readRelease()}`, '--version', 'shows the release')
    .helpOption('-h, --help', 'shows this page')
    .helpCommand('help [command]', 'shows the help of a command')
    .enablePositionalOptions()
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: write,
      writeErr: () => undefined,
      getOutHelpWidth: () => HELP_WIDTH,
      getErrHelpWidth: () => HELP_WIDTH,
    })
    .configureHelp({
      optionDescription,
      subcommandDescription: (command) => command.summary() || command.description(),
      // The overview is written without loading the commands.
      subcommandTerm: (command) => command.name(),
    })
  for (const command of commands) add(program, command, run)
  return program
}

const HELP_WIDTH = 110

function add(program: Program, command: Command, run: Run): void {
  const [first = '', second] = command.name.split(' ')
  const parent =
    second === undefined
      ? program
      : (program.commands.find((each) => each.name() === first) ??
        child(program, first)
          .summary(GROUPS[first] ?? '')
          .description(GROUPS[first] ?? ''))
  const added = child(parent, second ?? first)
    .summary(command.summary)
    .description(`${command.summary}\n\n${command.description}`)
    .action(() => run(command, added.opts<never>(), added.args))
  for (const [syntax, help, choices] of command.operands ?? []) {
    const operand = new Argument(syntax, help)
    added.addArgument(choices ? operand.choices(choices) : operand)
  }
  for (const [name, declared] of Object.entries(command.options))
    added.addOption(declared.named(flagOf(name)))
  added.addHelpText('after', (shown) => moreHelp(command, shown.command))
}

const child = (parent: Program, name: string): Program =>
  parent
    .command(name)
    .enablePositionalOptions()
    .helpCommand(false)
    .helpOption('-h, --help', 'shows this page')

export const flagOf = (name: string): string =>
  `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

/** Environment and examples, which Commander does not know. */
function moreHelp({ name, environment = {}, examples }: Command, program: Program): string {
  const helper = program.createHelp()
  helper.helpWidth = HELP_WIDTH
  const settings = Object.values(environment)
  const width = Math.max(0, ...settings.map(({ env }) => env.length))
  const rows = settings.map(({ env, doc, default: byDefault, isRequired }) => {
    const rest = isRequired ? ' Required.' : byDefault === undefined ? '' : ` Default: \`${byDefault}\`.`
    return helper.formatItem(env, width, doc + rest, helper)
  })
  const shown = examples.flatMap(([args, what]) => [
    `  plimsoll ${name}${args && ` ${args}`}`,
    `      ${what}`,
  ])
  return ['', ...(rows.length > 0 ? ['Environment:', ...rows, ''] : []), 'Examples:', ...shown].join('\n')
}

const optionDescription: Help['optionDescription'] = ({
  description,
  argChoices,
  defaultValue,
  defaultValueDescription,
  mandatory,
}) => {
  const isShown = typeof defaultValue === 'string' || typeof defaultValue === 'number'
  return [
    description,
    ...(argChoices ? [`one of ${argChoices.join(', ')}`] : []),
    ...(isShown ? [`default \`${defaultValueDescription ?? defaultValue}\``] : []),
    ...(mandatory ? ['required'] : []),
  ].join('; ')
}

/** The help of the command `name`; the overview without a name. */
export function helpOf(commands: readonly Command[], name = ''): string {
  const texts: string[] = []
  const program = createProgram(commands, undefined, (text) => texts.push(text))
  const shown = name
    .split(' ')
    .reduce((found, word) => found.commands.find((each) => each.name() === word) ?? found, program)
  shown.outputHelp()
  return texts.join('')
}

/** Codes that say that the call or the configuration is wrong. */
const MISUSE: ReadonlySet<string> = new Set([
  'usage_invalid',
  'config_invalid',
  'document_invalid',
  'traces_invalid',
  'tools_invalid',
])

/** Runs `plimsoll argv…` and gives its exit code. Never rejects: stderr gets what goes wrong. */
export async function runCli(
  argv: readonly string[],
  commands: readonly Command[],
  context: Context,
): Promise<ExitCode> {
  const { stdout, stderr } = context
  let called = ''
  let exitCode: ExitCode = 0
  const run: Run = async (command, values, operands) => {
    called = command.name
    exitCode = await command.run(values, operands, {
      ...context,
      env: withSecretFiles(context.env, commands),
    })
  }
  const program = createProgram(commands, run, (text) => stdout.write(text))
  try {
    // Commander's own `help` takes one word.
    const [first, ...words] = argv
    const isHelp = first === 'help' && words.length > 1
    await program.parseAsync(isHelp ? [...words, '--help'] : argv, { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError) return explainUsage(error)
    return explain(error)
  }

  function explainUsage({ code, exitCode, message }: CommanderError): ExitCode {
    // The help or the release was asked for.
    if (exitCode === 0) return 0
    // No command, or a group without its second word.
    if (code === 'commander.help') stderr.write(helpOf(commands, argv[0]))
    else {
      const problem = message
        .replace(/^error: /, '')
        .replace(/\.$/, '')
        .replaceAll("'", '`')
        .replaceAll('\n', ' ')
      const { name } = commands.findLast((each) => isPrefix(each.name.split(' '), argv)) ?? { name: '' }
      stderr.write(plainLines(`plimsoll: usage_invalid: ${problem}; \`${help(name)}\` shows more\n`))
    }
    return 2
  }

  function explain(error: unknown): ExitCode {
    if (!(error instanceof PlimsollError)) {
      // Ours to mend: the stack is what a report needs.
      stderr.write(`plimsoll: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
      return 1
    }
    // Messages contain text from records and from the command line.
    stderr.write(plainLines(`plimsoll: ${error.code}: ${linesOf(error)}\n`))
    if (error.code === 'usage_invalid') stderr.write(`\`${help(called)}\` shows more\n`)
    return MISUSE.has(error.code) ? 2 : 1
  }
}

const help = (name: string): string => `plimsoll ${name} --help`.replace('  ', ' ')

const isPrefix = (words: readonly string[], argv: readonly string[]): boolean =>
  words.every((word, i) => argv[i] === word)

/** Several problems of a document get a line each. */
function linesOf({ message, details: { problems } }: PlimsollError): string {
  if (!Array.isArray(problems) || problems.length < 2) return message
  const reported = problems.join('; ')
  return message.endsWith(reported)
    ? [message.slice(0, -reported.length).trimEnd(), ...problems].join('\n  ')
    : message
}
