import { parseArgs } from 'node:util'
import { PlimsollError } from '@plimsoll/contracts'

/** One option of a command. What it says here is parsed, checked and shown in the help. */
export type Option =
  | { readonly type: 'flag'; readonly help: string }
  | {
      readonly type: 'integer'
      readonly value: string
      readonly help: string
      readonly min: number
      readonly max: number
      readonly default?: number
    }
  | {
      /** A number with its unit, such as `90s`, `15m`, `1h`, `7d`; its value is in milliseconds. */
      readonly type: 'duration'
      readonly help: string
      readonly default?: string
    }
  | { readonly type: 'text'; readonly value: string; readonly help: string; readonly required?: true }
  | { readonly type: 'list'; readonly value: string; readonly help: string }
  | {
      readonly type: 'choice'
      readonly choices: readonly string[]
      readonly help: string
      readonly default: string
    }

export type Options = Readonly<Record<string, Option>>

type ValueOf<O extends Option> = O extends { type: 'flag' }
  ? boolean
  : O extends { type: 'integer' }
    ? O extends { default: number }
      ? number
      : number | undefined
    : O extends { type: 'duration' }
      ? O extends { default: string }
        ? number
        : number | undefined
      : O extends { type: 'list' }
        ? readonly string[]
        : O extends { type: 'choice'; choices: readonly (infer C)[] }
          ? C
          : O extends { required: true }
            ? string
            : string | undefined

export type Values<O extends Options> = { readonly [K in keyof O]: ValueOf<O[K]> }

/** What stands on a command's line besides its options. */
export interface Operands {
  readonly name: string
  readonly help: string
  readonly min: number
  readonly max: number
}

export interface Parsed<O extends Options> {
  readonly values: Values<O>
  readonly operands: readonly string[]
}

/**
 * Reads a command line. `help` is known to every command.
 *
 * @throws PlimsollError `usage_invalid` with every problem
 */
export function parseOptions<O extends Options>(
  argv: readonly string[],
  options: O,
  accepted?: Operands,
): Parsed<O> & { readonly wantsHelp: boolean } {
  const { given, operands, problems, wantsHelp } = scan(argv, options)
  const values: Record<string, unknown> = {}
  for (const [name, option] of Object.entries(options))
    values[name] = valueOf(name, option, given.get(name) ?? [], problems)
  problems.push(...countProblems(operands, accepted))
  if (problems.length > 0 && !wantsHelp) throw new PlimsollError('usage_invalid', problems.join('; '))
  return { values: values as Values<O>, operands, wantsHelp }
}

/** The command line as options with their texts, and the rest; nothing is converted yet. */
function scan(argv: readonly string[], options: Options) {
  const config = Object.fromEntries(
    Object.entries(options).map(([name, { type }]) => [
      name,
      { type: type === 'flag' ? 'boolean' : 'string', multiple: true },
    ]),
  ) as Record<string, { type: 'boolean' | 'string'; multiple: true }>
  const { tokens } = parseArgs({
    args: [...argv],
    options: config,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const given = new Map<string, string[]>()
  const operands: string[] = []
  const problems: string[] = []
  let wantsHelp = false
  for (const token of tokens) {
    if (token.kind === 'positional') operands.push(token.value)
    if (token.kind !== 'option') continue
    const { name, rawName, value, inlineValue } = token
    if (rawName === '--help' || rawName === '-h') wantsHelp = true
    else if (!Object.hasOwn(options, name)) problems.push(`unknown option \`${rawName}\``)
    else if (options[name]?.type === 'flag' && value !== undefined)
      problems.push(`\`${rawName}\` takes no value`)
    else if (
      options[name]?.type !== 'flag' &&
      (value === undefined || (!inlineValue && /^--?[a-z]/.test(value)))
    )
      problems.push(`\`${rawName}\` needs a value`)
    else given.set(name, [...(given.get(name) ?? []), value ?? ''])
  }
  return { given, operands, problems, wantsHelp }
}

function valueOf(name: string, option: Option, texts: readonly string[], problems: string[]): unknown {
  if (option.type === 'list') return texts
  const text = texts.at(-1)
  if (option.type === 'flag') return text !== undefined
  if (option.type === 'integer')
    return text === undefined ? option.default : integerOf(name, option, text, problems)
  if (option.type === 'duration') {
    const given = text ?? option.default
    return given === undefined ? undefined : millisecondsOf(name, given, problems)
  }
  if (option.type === 'text') {
    if (text === undefined && option.required) problems.push(`\`--${name}\` is missing`)
    return text
  }
  if (text !== undefined && !option.choices.includes(text))
    problems.push(`\`--${name}\` is one of ${option.choices.join(', ')}, not \`${text}\``)
  return text ?? option.default
}

function integerOf(
  name: string,
  { min, max }: Extract<Option, { type: 'integer' }>,
  text: string,
  problems: string[],
): number {
  const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= min && value <= max))
    problems.push(`\`--${name}\` is a whole number from ${min} to ${max}, not \`${text}\``)
  return value
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

function millisecondsOf(name: string, text: string, problems: string[]): number {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  if (count === undefined)
    problems.push(`\`--${name}\` is a time such as 90s, 15m, 1h or 7d, not \`${text}\``)
  return Number(count) * (UNIT_MS[unit] ?? Number.NaN)
}

function countProblems(operands: readonly string[], accepted: Operands | undefined): string[] {
  const { name, min, max } = accepted ?? { name: '', min: 0, max: 0 }
  if (operands.length < min) return [`${name} is missing`]
  return operands.slice(max).map((operand) => `\`${operand}\` is one argument too many`)
}
