import { monitorSettings } from '@plimsoll/monitor'
import { kafkaSettings, setting, type ConfigOf } from '@plimsoll/runtime'
import { signedSettings } from '../pipeline/signed.js'

/** What the commands read that look at what stands. */
export const registrySettings = {
  ...kafkaSettings,
  signingKey: monitorSettings.signingKey,
}

/** What the commands read that change what stands. */
export const controlSettings = {
  ...signedSettings,
  group: monitorSettings.group,
  user: setting.text({ env: 'USER', doc: 'Who changes it, where `--by` does not tell.' }),
}

export type ControlConfig = ConfigOf<typeof controlSettings>
