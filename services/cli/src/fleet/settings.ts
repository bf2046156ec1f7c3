import { monitorSettings } from '@plimsoll/monitor'
import { kafkaSettings } from '@plimsoll/runtime'

/** Where the fleet finds Kafka, and the key that its simulated humans sign with. */
export const fleetSettings = { ...kafkaSettings, signingKey: monitorSettings.signingKey }
