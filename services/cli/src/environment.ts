import type { Setting, Settings, SettingValue } from '@plimsoll/runtime'

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
