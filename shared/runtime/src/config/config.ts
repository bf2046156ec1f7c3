import { PlimsollError } from '@plimsoll/contracts'
import { z } from 'zod'

export type Environment = Readonly<Record<string, string | undefined>>

export type Settings = Readonly<Record<string, Setting<SettingValue>>>

export type ConfigOf<S extends Settings> = {
  readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never
}

export interface ParseOptions<S extends Settings> {
  /** Variables with these prefixes must be declared; `PLIMSOLL_` by default. */
  readonly prefixes?: readonly string[]
  /** Exceptions: variables of other programs in the same environment. */
  readonly foreign?: readonly string[]
  /** Problems of combinations of settings, one line each. Called if every setting alone is valid. */
  readonly checks?: readonly ((config: ConfigOf<S>) => readonly string[])[]
}

/** Variables of other parts of Plimsoll. */
const FOREIGN = ['PLIMSOLL_TRACES', 'PLIMSOLL_CACHE']

/**
 * The frozen configuration of `settings` from `env`. An empty variable counts as unset.
 *
 * Throws `config_invalid` with every problem, one line each (also in `details.problems`): invalid values, missing required ones,
 * undeclared names.
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
    .map((name) => `${name}: no such setting here; if another command uses it, unset it for this one`)
}

function invalid(problems: readonly string[]): PlimsollError {
  const count = problems.length === 1 ? '1 invalid setting' : `${problems.length} invalid settings`
  return new PlimsollError('config_invalid', [count, ...problems].join('\n  '), { details: { problems } })
}

/** Values of settings. */
export type SettingValue = string | number | boolean | readonly string[] | undefined

/**
 * One setting: its variable, meaning and form. The reference page is generated from these declarations, so `doc` is a sentence for its
 * reader.
 */
export interface Setting<T extends SettingValue> {
  readonly env: string
  readonly doc: string
  /** The form of a value; follows the word `expected`. */
  readonly expects: string
  /** As written in the environment. */
  readonly default: string | undefined
  readonly isRequired: boolean
  /** Never shown, not even in errors. */
  readonly isSecret: boolean
  parse(text: string): { readonly ok: true; readonly value: T } | { readonly ok: false }
}

interface Declared {
  readonly env: string
  readonly doc: string
  readonly isSecret?: boolean
}

/** With a default or `required: true`: the value is always there. */
type Present = Declared & ({ readonly default: string } | { readonly required: true })
/** The value is undefined if left out. */
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

/** Kinds of settings; each turns a declaration into a `Setting`. */
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
