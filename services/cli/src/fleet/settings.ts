import { monitorSettings } from '@plimsoll/monitor'
import { fingerprintSettings, kafkaSettings } from '@plimsoll/runtime'

/** Where the fleet finds Kafka, the key of its fingerprints, and the one that its simulated humans sign with. */
export const fleetSettings = {
  ...kafkaSettings,
  ...fingerprintSettings,
  signingKey: monitorSettings.signingKey,
}
