import type { ClientSettings } from '@plimsoll/client'
import { type Topics, PlimsollError, topicsOf } from '@plimsoll/contracts'
import { readDocument } from '@plimsoll/policy'
import {
  type EventLog,
  type LineageStore,
  type Logger,
  type Metrics,
  type OnRelease,
  systemClock,
  withReleasers,
} from '@plimsoll/runtime'
import { createAuthenticator } from './auth/authenticator.js'
import type { PrincipalsDocument } from './auth/principals-file.js'
import { checkPlugin } from './check/index.js'
import type { GatewayPlugin } from './context.js'
import { NO_VOUCHER, createIntake, createVoucher } from './intake/intake.js'
import { createObservation } from './intake/observed.js'
import { createLineage, createMemoryLineages } from './lineage/lineage.js'
import { createStreamMembers } from './lineage/stream-members.js'
import { createGatewayMetrics } from './metrics/specs.js'
import { createServer } from './server/errors.js'
import { listen } from './server/listen.js'
import { createPrincipalClients } from './sessions/principal-clients.js'
import { type Switchboard, createSwitchboard } from './sessions/switchboard.js'
import { serveConnection } from './stream/connection.js'
import { type StreamOptions, attachStream } from './stream/stream.js'

/** Parts that every gateway has. */
const PLUGINS: readonly GatewayPlugin[] = [checkPlugin]

export interface GatewayOptions {
  /** Not closed with the gateway. */
  readonly log: EventLog
  readonly topics?: Topics
  readonly principals: PrincipalsDocument
  /** `127.0.0.1` by default. */
  readonly host?: string
  /** 0 for any that is free. */
  readonly port: number
  /** Where it listens if another process has `port`; it does not start then where it is left out. */
  readonly portIfTaken?: number
  /** Of the sessions that are held in this process. */
  readonly client?: Pick<
    ClientSettings,
    'fingerprintKey' | 'identityKey' | 'timeoutMs' | 'catalogue' | 'disclose' | 'without'
  >
  /**
   * What the sessions of agents, and the unnamed ones of hosts, have read, in all gateways; not closed with this one. In this one alone where it is left
   * out: in its first hour it then takes each to have read the worst.
   */
  readonly lineages?: LineageStore
  /** Parts beside those that every gateway has. */
  readonly plugins?: readonly GatewayPlugin[]
  readonly metrics: Metrics
  readonly logger: Logger
  /** Ends it while it waits for the log at its start; it then throws `closed`. */
  readonly signal?: AbortSignal
}

export interface Gateway {
  /** Such as `http://127.0.0.1:9465`. */
  readonly url: string
  isReady(): boolean
  /** Takes no more requests, answers open proposals by the fail mode, sends what waits. */
  close(): Promise<void>
}

/** Serves agents over `log`. Resolves when it listens and no decision can be missed; rejects with `config_invalid` for a taken port. */
export async function startGateway(given: GatewayOptions): Promise<Gateway> {
  let isClosing = false
  const options = { ...given, lineages: given.lineages ?? createMemoryLineages() }
  const { value, release } = await withReleasers((onRelease) => acquire(options, onRelease))
  return {
    url: value.url,
    isReady: () => !isClosing && value.isRunning(),
    close: () => {
      isClosing = true
      return release()
    },
  }
}

type Completed = GatewayOptions & Required<Pick<GatewayOptions, 'lineages'>>

async function acquire(options: Completed, onRelease: OnRelease) {
  const { log, topics = topicsOf(), principals, host = '127.0.0.1', port, metrics, logger, signal } = options
  const switchboard = await createSwitchboard(log, topics, signal)
  onRelease(() => switchboard.close())
  if (signal?.aborted) throw new PlimsollError('closed', 'interrupted before the gateway listened')
  const clients = createPrincipalClients(switchboard, options.client ?? {}, options.lineages)
  onRelease(() => clients.close())
  const authenticate = createAuthenticator(principals)
  const app = await createServer({
    authenticate,
    logger,
    plugins: [...PLUGINS, ...(options.plugins ?? [])],
    context: { clientOf: (principal, line) => clients.of(principal, line), logger, metrics },
  })
  onRelease(() => app.close())
  const serve = await createStreamServer(options, switchboard)
  const stream = attachStream(app.server, { authenticate, ...serve })
  onRelease(() => stream.close())
  return { url: await listen(app, host, port, options.portIfTaken), isRunning: () => switchboard.isRunning() }
}

/** How connections are served: each by an intake of its own, all over one observation. */
async function createStreamServer(
  { client = {}, lineages: store, metrics }: Completed,
  switchboard: Switchboard,
): Promise<Pick<StreamOptions, 'serve' | 'metrics'>> {
  const { fingerprintKey: key, identityKey, without, disclose } = client
  const catalogue = client.catalogue ?? (await readDocument('catalogue'))
  const observe = createObservation({ catalogue, key, without, disclose })
  const gatewayMetrics = createGatewayMetrics(metrics)
  const now = () => systemClock.now()
  return {
    metrics: gatewayMetrics,
    serve: (socket, principal, bytes) => {
      const voucher = identityKey === undefined ? NO_VOUCHER : createVoucher(principal, identityKey, now)
      const intake = createIntake({ principal, catalogue, observe, voucher })
      const isFollowed = principal.trust === 'agent'
      const lineage = isFollowed ? createLineage(principal, { store, clock: systemClock }) : undefined
      const members = lineage && createStreamMembers(lineage, catalogue)
      serveConnection({
        socket,
        bytes,
        principal,
        intake,
        members,
        switchboard,
        metrics: gatewayMetrics,
        now,
      })
    },
  }
}
