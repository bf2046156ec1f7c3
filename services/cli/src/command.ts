import type { EnvironmentSettings } from './environment.js'
import { parseOptions, type Operands, type Options, type Values } from './options.js'

/** A stream that text is written to. */
export interface Output {
  write(text: string): void
  /** Whether a human sees it as it is written. */
  readonly isTerminal: boolean
}

/** What a command is given of the process that it runs in. */
export interface Context {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdout: Output
  readonly stderr: Output
  /** Asks whoever is at the terminal, and gives the line they type, empty where they leave; undefined where nobody sees what is shown, or can answer. */
  readonly ask?: (question: string) => Promise<string>
  /** Aborts when the process is asked to end. */
  readonly signal: AbortSignal
}

/** 0: done. 1: failed. 2: called or configured wrongly. */
export type ExitCode = 0 | 1 | 2

export interface CommandSpec<O extends Options> {
  /** One word, or two where several commands are about one thing: `dlq list`. */
  readonly name: string
  /** One line for the overview. */
  readonly summary: string
  /** What the help says besides. */
  readonly description: readonly string[]
  readonly operands?: Operands
  readonly options: O
  /** Settings that it reads from the environment. */
  readonly environment?: EnvironmentSettings
  /** Arguments with what they do. */
  readonly examples: readonly (readonly [args: string, what: string])[]
  readonly run: (values: Values<O>, operands: readonly string[], context: Context) => Promise<ExitCode>
}

/** A command whose options are its own affair. */
export interface Command extends Omit<CommandSpec<Options>, 'run'> {
  /** Throws `usage_invalid`; undefined where the help was asked for. */
  readonly parse: (argv: readonly string[]) => ((context: Context) => Promise<ExitCode>) | undefined
}

export function defineCommand<const O extends Options>(spec: CommandSpec<O>): Command {
  const { run, ...rest } = spec
  return {
    ...rest,
    parse: (argv) => {
      const { values, operands, wantsHelp } = parseOptions(argv, spec.options, spec.operands)
      return wantsHelp ? undefined : (context) => run(values, operands, context)
    },
  }
}
