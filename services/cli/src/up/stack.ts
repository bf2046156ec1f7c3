import { randomBytes } from 'node:crypto'
import { createClient, type PlimsollClient } from '@plimsoll/client'
import { topicsOf } from '@plimsoll/contracts'
import type { SubmitReview } from '@plimsoll/fleet'
import { createLogger, type HttpServer, type OnRelease } from '@plimsoll/runtime'
import { createEmbeddedLineages, createEmbeddedLog, createEmbeddedStore } from '@plimsoll/runtime/embedded'
import type { Output } from '../command.js'
import { startOwnMonitor, type OwnMonitor } from '../pipeline/own-monitor.js'
import { createReviewer } from '../pipeline/reviewer.js'
import { startOwnGateway, type OwnGateway } from './gateway.js'
import { serveOnFreePort } from './metrics-server.js'

/** Records kept of a partition: nobody reads far back here. */
const RETENTION_RECORDS_MAX = 10_000

const PARTITIONS = 4

/** Everything between an agent and its verdict, in this process. */
export interface Stack extends OwnMonitor {
  readonly client: PlimsollClient
  readonly http: HttpServer
  readonly gateway: OwnGateway
  readonly submitReview: SubmitReview
}

/** Of what is served; 0 for any that is free. */
export interface StackPorts {
  readonly metrics: number
  readonly gateway: number
}

export async function startStack(ports: StackPorts, stderr: Output, onRelease: OnRelease): Promise<Stack> {
  const logger = createLogger({ level: 'warn', write: (line) => stderr.write(line) })
  const log = createEmbeddedLog({ logger, retentionRecordsMax: RETENTION_RECORDS_MAX })
  onRelease(() => log.close())
  const store = createEmbeddedStore()
  onRelease(() => store.close())
  const topics = topicsOf()
  // Nobody else can write to this log: keys for as long as the process lives are enough.
  const signingKey = randomBytes(32).toString('hex')
  const identityKey = randomBytes(32).toString('hex')
  const group = 'plimsoll-monitor'
  const own = await startOwnMonitor({
    log,
    store,
    topics,
    group,
    partitions: PARTITIONS,
    logger,
    signingKey,
    identity: { keys: [identityKey], isRequired: true },
  })
  onRelease(() => own.monitor.close())
  await own.monitor.started
  const { monitor, metrics } = own
  const http = await serveOnFreePort(
    { port: ports.metrics, metrics, isReady: () => monitor.isReady() },
    stderr,
  )
  onRelease(() => http.close())
  const fingerprintKey = randomBytes(32)
  const client = await createClient({ log, topics, fingerprintKey, identityKey, principal: 'plimsoll up' })
  onRelease(() => client.close())
  const served = {
    log,
    topics,
    port: ports.gateway,
    client: { fingerprintKey, identityKey },
    lineages: createEmbeddedLineages(),
    metrics,
    logger,
  }
  const gateway = await startOwnGateway(served, stderr)
  onRelease(() => gateway.close())
  const submitReview = createReviewer(log, topics.events, signingKey)
  return { ...own, client, http, gateway, submitReview }
}
