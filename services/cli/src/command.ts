import { readFileSync } from 'node:fs'
import { PlimsollError } from '@plimsoll/contracts'
import type { Setting, SettingValue, Settings } from '@plimsoll/runtime'
import { type Operands, type Options, type Values, parseOptions } from './options.js'

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
  /** Asks anyone who is at the terminal, and gives the line they type, empty where they leave; undefined where nobody sees what is shown, or can answer. */
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

/** Settings by the name of the variable that each is read from. */
export type EnvironmentSettings = Readonly<Record<string, Setting<SettingValue>>>

/** The settings that a command reads, for its help and for the reference of all settings. */
export function environmentOf(settings: Settings): EnvironmentSettings {
  return Object.fromEntries(Object.values(settings).map((setting) => [setting.env, setting]))
}

/** What the help says of a setting: its meaning, and what it is where nothing is given. */
export function meaningOf({ doc, default: byDefault, isRequired }: Setting<SettingValue>): string {
  if (isRequired) return `${doc} Required.`
  return byDefault === undefined ? doc : `${doc} Default: \`${byDefault}\`.`
}

type Environment = Context['env']

/**
 * `env` with the secrets that lie in files: where a setting is secret, `<its name>_FILE` may name a file that holds its value, as Docker's
 * and Kubernetes' secrets are mounted. Throws `config_invalid` where the file cannot be read, or the variable is set too.
 */
export function withSecretFiles(env: Environment, commands: readonly Command[]): Environment {
  const given = secretsOf(commands).filter((name) => isSet(env[`${name}_FILE`]))
  const problems = given
    .filter((name) => isSet(env[name]))
    .map((name) => `${name}: set, and ${name}_FILE too`)
  const values = given.map((name) => [name, readSecret(env[`${name}_FILE`] ?? '', name, problems)] as const)
  if (problems.length > 0) throw new PlimsollError('config_invalid', problems.join('\n  '))
  const rest = Object.entries(env).filter(([name]) => !given.some((secret) => name === `${secret}_FILE`))
  return { ...Object.fromEntries(rest), ...Object.fromEntries(values) }
}

function secretsOf(commands: readonly Command[]): readonly string[] {
  const settings = commands.flatMap(({ environment = {} }) => Object.values(environment))
  return [...new Set(settings.filter(({ isSecret }) => isSecret).map(({ env }) => env))]
}

const isSet = (value: string | undefined): boolean => value !== undefined && value !== ''

function readSecret(file: string, name: string, problems: string[]): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    problems.push(`${name}_FILE: \`${file}\` cannot be read (${code ?? String(error)})`)
    return ''
  }
}
