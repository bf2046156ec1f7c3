import { monitorSettings } from '@plimsoll/monitor'
import { fingerprintSettings, identitySettings, kafkaSettings } from '@plimsoll/runtime'

/** Where the fleet finds Kafka, the keys of its fingerprints and identities, and the one that its simulated humans sign with. */
export const fleetSettings = {
  ...kafkaSettings,
  ...fingerprintSettings,
  ...identitySettings,
  signingKey: monitorSettings.signingKey,
}
