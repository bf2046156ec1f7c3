import { PlimsollError } from '@plimsoll/contracts'
import { z } from 'zod'

export type Environment = Readonly<Record<string, string | undefined>>

// The type of a declaration's value is told by each declaration itself.
export type Settings = Readonly<Record<string, Setting<SettingValue>>>

export type ConfigOf<S extends Settings> = {
  readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never
}

export interface ParseOptions<S extends Settings> {
  /** Names with one of these beginnings must be declared; `PLIMSOLL_` by default. */
  readonly prefixes?: readonly string[]
  /** Names with such a beginning that belong to others and may stand in the same environment. */
  readonly foreign?: readonly string[]
  /** Problems that only several settings together can have, a line each. Asked where each alone is right. */
  readonly checks?: readonly ((config: ConfigOf<S>) => readonly string[])[]
}

/** Read by other parts of Plimsoll than a service, in the same environment. */
const FOREIGN = ['PLIMSOLL_TRACES', 'PLIMSOLL_CACHE']

/**
 * The frozen configuration that `env` gives for `settings`. An empty variable counts as one that is not set.
 *
 * Throws `config_invalid` with every problem at once, a line each: values that are not right, required ones that are missing,
 * names that nobody declares. `details.problems` has the lines.
 *
 * @example
 * const config = parseConfig({ ...kafkaSettings, port: setting.integer({ env: 'PLIMSOLL_PORT', … }) }, process.env)
 */
export function parseConfig<S extends Settings>(
  settings: S,
  env: Environment,
  options: ParseOptions<S> = {},
): ConfigOf<S> {
  const problems: string[] = []
  const entries = Object.entries(settings).map(
    ([name, setting]) => [name, valueOf(setting, env, problems)] as const,
  )
  problems.push(...unknownNames(settings, env, options))
  const config = Object.freeze(Object.fromEntries(entries)) as ConfigOf<S>
  if (problems.length === 0) for (const check of options.checks ?? []) problems.push(...check(config))
  if (problems.length > 0) throw invalid(problems)
  return config
}

function valueOf(setting: Setting<SettingValue>, env: Environment, problems: string[]): SettingValue {
  const given = env[setting.env]
  const text = given === undefined || given === '' ? setting.default : given
  if (text === undefined) {
    if (setting.isRequired) problems.push(`${setting.env}: missing, expected ${setting.expects}`)
    return undefined
  }
  const parsed = setting.parse(text)
  if (parsed.ok) return parsed.value
  const shown = setting.isSecret ? 'a value' : `\`${text}\``
  problems.push(`${setting.env}: expected ${setting.expects}, got ${shown}`)
  return undefined
}

function unknownNames<S extends Settings>(settings: S, env: Environment, options: ParseOptions<S>): string[] {
  const { prefixes = ['PLIMSOLL_'], foreign = [] } = options
  const known = new Set([...Object.values(settings).map((setting) => setting.env), ...FOREIGN, ...foreign])
  return Object.keys(env)
    .filter((name) => prefixes.some((prefix) => name.startsWith(prefix)) && !known.has(name))
    .sort()
    .map(
      (name) => `${name}: no such setting here; where it is that of another command, unset it for this one`,
    )
}

function invalid(problems: readonly string[]): PlimsollError {
  const count = problems.length === 1 ? '1 setting is not right' : `${problems.length} settings are not right`
  return new PlimsollError('config_invalid', [count, ...problems].join('\n  '), { details: { problems } })
}

/** What a setting can come to. */
export type SettingValue = string | number | boolean | readonly string[] | undefined

/**
 * One setting: the variable it is read from, what it means and what it must look like. The reference page of a service is made from
 * these declarations, so `doc` is a sentence for its reader.
 */
export interface Setting<T extends SettingValue> {
  readonly env: string
  readonly doc: string
  /** What a value must be, to follow the word `expected`. */
  readonly expects: string
  /** As it would be written in the environment; undefined where there is none. */
  readonly default: string | undefined
  readonly isRequired: boolean
  /** Never shown, in an error neither. */
  readonly isSecret: boolean
  parse(text: string): { readonly ok: true; readonly value: T } | { readonly ok: false }
}

interface Declared {
  readonly env: string
  readonly doc: string
  readonly isSecret?: boolean
}

/** With a default, or without one where `required: true` is said. The value is there in either case. */
type Present = Declared & ({ readonly default: string } | { readonly required: true })
/** May be left out; the value is then undefined. */
type Optional = Declared & { readonly default?: undefined; readonly required?: undefined }

interface Declare<T extends SettingValue, Extra> {
  (declared: Present & Extra): Setting<T>
  (declared: Optional & Extra): Setting<T | undefined>
}

type Reader<Extra> = (extra: Extra) => {
  readonly expects: string
  readonly schema: z.ZodType<SettingValue, string>
}

function declare<T extends SettingValue, Extra = unknown>(reader: Reader<Extra>): Declare<T, Extra> {
  const make = (declared: (Present | Optional) & Extra): Setting<SettingValue> => {
    const { expects, schema } = reader(declared)
    return {
      env: declared.env,
      doc: declared.doc,
      expects,
      default: 'default' in declared ? declared.default : undefined,
      isRequired: 'required' in declared && declared.required === true,
      isSecret: declared.isSecret ?? false,
      parse: (text) => {
        const result = schema.safeParse(text)
        return result.success ? { ok: true, value: result.data } : { ok: false }
      },
    }
  }
  return make as Declare<T, Extra>
}

interface Range {
  readonly min?: number
  readonly max?: number
}

const trimmed = z.string().trim().min(1)

/** The kinds of settings there are; each takes a declaration and gives a `Setting`. */
export const setting = {
  text: declare<string, { readonly expects?: string; readonly pattern?: RegExp }>(
    ({ expects = 'some text', pattern }) => ({
      expects,
      schema: pattern ? trimmed.regex(pattern) : trimmed,
    }),
  ),
  integer: declare<number, Range>(({ min = 0, max = Number.MAX_SAFE_INTEGER }) => ({
    expects:
      max === Number.MAX_SAFE_INTEGER ? `a whole number from ${min}` : `a whole number from ${min} to ${max}`,
    schema: trimmed
      .regex(/^-?\d{1,16}$/)
      .transform(Number)
      .refine((value) => value >= min && value <= max),
  })),
  flag: declare<boolean>(() => ({
    expects: '`true` or `false`',
    schema: trimmed.regex(/^(true|false)$/).transform((text) => text === 'true'),
  })),
  choice: <const C extends readonly string[]>(choices: C) =>
    declare<C[number]>(() => ({
      expects: `one of ${choices.map((choice) => `\`${choice}\``).join(', ')}`,
      schema: trimmed.refine((text) => choices.includes(text)),
    })),
  list: declare<readonly string[], { readonly expects?: string; readonly pattern?: RegExp }>(
    ({ expects = 'texts separated by commas', pattern }) => ({
      expects,
      schema: trimmed
        .transform((text) => text.split(',').map((item) => item.trim()))
        .refine((items) => items.every((item) => item !== '' && (pattern?.test(item) ?? true))),
    }),
  ),
  url: declare<string, { readonly protocols: readonly string[] }>(({ protocols }) => ({
    expects: `an address such as \`${protocols[0]}://…\``,
    schema: trimmed.refine(
      (text) => URL.canParse(text) && protocols.includes(new URL(text).protocol.slice(0, -1)),
    ),
  })),
}
