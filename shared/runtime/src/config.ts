import { PlimsollError } from '@plimsoll/contracts'
import type { Setting, SettingValue } from './setting.js'

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
