import { dockerMissing } from '../docker/daemon.js'
import type { Restartable } from '../components/local-server.js'
import { type Offer, startFirst, whyNone } from '../sessions/offer.js'
import { startDockerKafka } from './docker.js'
import { localKafkaMissing, startLocalKafka } from './local.js'

export interface RunningKafka extends Restartable {
  readonly brokers: readonly string[]
}

const offers: readonly Offer<RunningKafka>[] = [
  { source: 'docker', missing: dockerMissing, start: startDockerKafka },
  { source: 'local', missing: localKafkaMissing, start: startLocalKafka },
]

/** A Kafka of the caller's own, which it may kill and restart, and must stop. Resolves once it answers. */
export const startKafka = (): Promise<RunningKafka> => startFirst('Apache Kafka', offers)

/** Why `startKafka` cannot succeed here; undefined if it can. */
export const kafkaMissing = (): Promise<string | undefined> => whyNone('Apache Kafka', offers)
