import { monitorSettings } from '@plimsoll/monitor'
import { kafkaSettings, type Setting } from '@plimsoll/runtime'

/** What commands read that publish what only the deployment itself may say. */
export const signedSettings = {
  ...kafkaSettings,
  // Nothing unsigned is believed; hence its value is there.
  signingKey: { ...monitorSettings.signingKey, isRequired: true } as Setting<string>,
}

/** How long such a command waits for what a monitor makes of it. */
export const waitOption = {
  wait: {
    type: 'integer',
    value: 'SECONDS',
    help: 'how long to wait for the monitor',
    min: 1,
    max: 3_600,
    default: 10,
  },
} as const
