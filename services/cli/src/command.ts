import { readFileSync } from 'node:fs'
import { PlimsollError } from '@plimsoll/contracts/errors'
import type { Setting, SettingValue, Settings } from '@plimsoll/runtime'
import { InvalidArgumentError, Option } from 'commander'

/** A stream that text is written to. */
export interface Output {
  write(text: string): void
  /** Whether a human sees it as it is written. */
  readonly isTerminal: boolean
}

/** What a command gets from the process that runs it. */
export interface Context {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdout: Output
  readonly stderr: Output
  /** Asks at the terminal; an empty line if the user leaves. Undefined without a terminal for both input and output. */
  readonly ask?: (question: string) => Promise<string>
  /** Aborts when the process is asked to end. */
  readonly signal: AbortSignal
}

/** 0: done. 1: failed. 2: called or configured wrongly. */
export type ExitCode = 0 | 1 | 2

/** An option that still lacks its name. `T` is the type of its value. */
export interface DeclaredOption<T> {
  readonly named: (flag: string) => Option
  readonly value?: T
}

export type Options = Readonly<Record<string, { readonly named: (flag: string) => Option }>>

export type Values<O extends Options> = {
  readonly [K in keyof O]: O[K] extends DeclaredOption<infer T> ? T : never
}

export const flag = (help: string): DeclaredOption<boolean> => ({
  named: (flag) => new Option(flag, help).default(false),
})

/** `--no-NAME`; the value of NAME is true without it. */
export const noFlag = (help: string): DeclaredOption<boolean> => ({
  named: (flag) => new Option(flag.replace('--', '--no-'), help),
})

export const text = (value: string, help: string): DeclaredOption<string | undefined> => ({
  named: (flag) => new Option(`${flag} <${value}>`, help).argParser(given),
})

export const requiredText = (value: string, help: string): DeclaredOption<string> => ({
  named: (flag) => new Option(`${flag} <${value}>`, help).argParser(given).makeOptionMandatory(),
})

/** An option that may be repeated. */
export const list = (value: string, help: string): DeclaredOption<readonly string[]> => ({
  named: (flag) =>
    new Option(`${flag} <${value}>`, `${help}; may be repeated`)
      .argParser((text: string, before: readonly string[]) => [...before, given(text)])
      .default([]),
})

/** An option that may be repeated, each time with one of `choices`. */
export function words<const C extends string>(
  value: string,
  choices: readonly C[],
  help: string,
): DeclaredOption<readonly C[]> {
  const parse = (text: string, before: readonly C[]): readonly C[] => {
    const word = choices.find((each) => each === text)
    if (word !== undefined) return [...before, word]
    throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`)
  }
  const meaning = `${help}: ${choices.join(', ')}; may be repeated`
  return { named: (flag) => new Option(`${flag} <${value}>`, meaning).argParser(parse).default([]) }
}

export const choice = <const C extends string>(
  choices: readonly C[],
  help: string,
  byDefault: C,
): DeclaredOption<C> => ({
  named: (flag) => new Option(`${flag} <WORD>`, help).choices(choices).default(byDefault),
})

/** The same without a default. */
export const maybeChoice = <const C extends string>(
  choices: readonly C[],
  help: string,
): DeclaredOption<C | undefined> => ({
  named: (flag) => new Option(`${flag} <WORD>`, help).choices(choices),
})

interface Range {
  readonly min: number
  readonly max: number
}

export function integer(
  value: string,
  help: string,
  range: Range & { default: number },
): DeclaredOption<number>
export function integer(value: string, help: string, range: Range): DeclaredOption<number | undefined>
export function integer(
  value: string,
  help: string,
  { min, max, default: byDefault }: Range & { default?: number },
): DeclaredOption<number | undefined> {
  const parse = (text: string): number => {
    const number = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (number >= min && number <= max) return number
    throw new InvalidArgumentError(`Expected a whole number from ${min} to ${max}.`)
  }
  return { named: (flag) => new Option(`${flag} <${value}>`, help).argParser(parse).default(byDefault) }
}

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** A number with its unit, such as `90s`, `15m`, `1h` or `7d`; the value is in milliseconds. */
export function duration(help: string, byDefault: string): DeclaredOption<number>
export function duration(help: string): DeclaredOption<number | undefined>
export function duration(help: string, byDefault?: string): DeclaredOption<number | undefined> {
  const parse = (text: string): number => {
    const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
    if (count !== undefined) return Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS]
    throw new InvalidArgumentError('Expected a time such as 90s, 15m, 1h or 7d.')
  }
  return {
    named: (flag) => {
      const option = new Option(`${flag} <TIME>`, help).argParser(parse)
      return byDefault === undefined ? option : option.default(parse(byDefault), byDefault)
    },
  }
}

/** Commander takes the next argument as the value, also if it is an option: then the value was forgotten. */
function given(text: string): string {
  if (/^--?[a-z]|^--$/.test(text)) throw new InvalidArgumentError('That is an option: the value is missing.')
  return text
}

/** `--json` of every command that has figures. */
export const json = flag('one JSON document on stdout; messages on stderr')

/** `--catalogue` of every command that labels tools. */
export const catalogueOption = list(
  'FILE',
  'a tool catalogue to add to the shipped ones; its entries win, those of the last file before all. With `extends: none` in it, only its own count',
)

/** `--traces` of every command that reads recorded sessions. */
export const tracesOption = list(
  'FILE',
  'recorded sessions: an object of JSON a line with `trace_id`, `task`, `label: { unsafe, violation_step }`, and `steps`, each with `i`, `tool`, `args`, `result`, `error`. All but `trace_id` and the tools may be missing; a file may end with `.gz`',
)

export interface CommandSpec<O extends Options> {
  /** One word, or two for a command of a group: `dlq list`. */
  readonly name: string
  /** One line for the overview. */
  readonly summary: string
  readonly description: string
  /** Operands as Commander writes them (`<FILE>`, `[FILE...]`), with their meaning. */
  readonly operands?: readonly (readonly [syntax: string, help: string, choices?: readonly string[]])[]
  readonly options: O
  /** Settings that it reads from the environment. */
  readonly environment?: EnvironmentSettings
  /** Arguments with what they do. */
  readonly examples: readonly (readonly [args: string, what: string])[]
  readonly run: (values: Values<O>, operands: readonly string[], context: Context) => Promise<ExitCode>
}

/** A command with the types of its options erased. */
export type Command = CommandSpec<Options>

export const defineCommand = <const O extends Options>(spec: CommandSpec<O>): Command =>
  spec as unknown as Command

/** Settings by the name of the variable that each is read from. */
export type EnvironmentSettings = Readonly<Record<string, Setting<SettingValue>>>

/** The settings that a command reads, for its help and for the reference of all settings. */
export function environmentOf(settings: Settings): EnvironmentSettings {
  return Object.fromEntries(Object.values(settings).map((setting) => [setting.env, setting]))
}

type Environment = Context['env']

/**
 * `env` with the secrets that files hold: if a setting is secret, `<its name>_FILE` may name a file with its value, as Docker and Kubernetes
 * mount secrets. Throws `config_invalid` if the file cannot be read, or the variable is set too.
 */
export function withSecretFiles(env: Environment, commands: readonly Command[]): Environment {
  const settings = commands.flatMap(({ environment = {} }) => Object.values(environment))
  const secrets = new Set(settings.filter(({ isSecret }) => isSecret).map(({ env }) => env))
  const result = { ...env }
  const problems: string[] = []
  for (const name of secrets) {
    const { [`${name}_FILE`]: file = '' } = env
    if (file === '') continue
    delete result[`${name}_FILE`]
    if (env[name]) problems.push(`${name}: set, and ${name}_FILE too`)
    else result[name] = readSecret(file, name, problems)
  }
  if (problems.length > 0) throw new PlimsollError('config_invalid', problems.join('\n  '))
  return result
}

function readSecret(file: string, name: string, problems: string[]): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    problems.push(`${name}_FILE: \`${file}\` cannot be read (${code ?? String(error)})`)
    return ''
  }
}
