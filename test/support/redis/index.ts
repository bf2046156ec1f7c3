import { dockerMissing } from '../docker/daemon.js'
import type { Restartable } from '../components/local-server.js'
import { type Offer, startFirst, whyNone } from '../sessions/offer.js'
import { startDockerRedis } from './docker.js'
import { localRedisMissing, startLocalRedis } from './local.js'

export interface RunningRedis extends Restartable {
  readonly url: string
}

const offers: readonly Offer<RunningRedis>[] = [
  { source: 'docker', missing: dockerMissing, start: startDockerRedis },
  { source: 'local', missing: localRedisMissing, start: startLocalRedis },
]

/** A Redis of the caller's own, which it may kill and restart, and must stop. Resolves once it answers. */
export const startRedis = (): Promise<RunningRedis> => startFirst('Redis', offers)

/** Why `startRedis` cannot succeed here; undefined if it can. */
export const redisMissing = (): Promise<string | undefined> => whyNone('Redis', offers)
