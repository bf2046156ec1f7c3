import { monitorSettings } from '@plimsoll/monitor'
import { kafkaSettings, setting, type ConfigOf, type Setting } from '@plimsoll/runtime'

/** What the commands read that look at what stands. */
export const registrySettings = {
  ...kafkaSettings,
  signingKey: monitorSettings.signingKey,
}

/** What the commands read that change what stands. */
export const controlSettings = {
  ...kafkaSettings,
  group: monitorSettings.group,
  // Nothing can be changed without it; hence its value is there.
  signingKey: { ...monitorSettings.signingKey, isRequired: true } as Setting<string>,
  user: setting.text({ env: 'USER', doc: 'Who changes it, where `--by` does not tell.' }),
}

export type ControlConfig = ConfigOf<typeof controlSettings>
