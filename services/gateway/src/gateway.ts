import type { ClientSettings } from '@plimsoll/client'
import { type Topics, PlimsollError, topicsOf } from '@plimsoll/contracts'
import { extendShipped } from '@plimsoll/policy'
import {
  type EventLog,
  type LineageStore,
  type Logger,
  type Metrics,
  type OnRelease,
  listen,
  storeMissing,
  systemClock,
  withReleasers,
} from '@plimsoll/runtime'
import { createAuthenticator, signersOf } from './auth/authenticator.js'
import type { PrincipalsDocument } from './auth/principals.js'
import type { GatewayPlugin } from './context.js'
import { createDoorsPlugin } from './doors/plugin.js'
import { checkPlugin } from './http/plugin.js'
import { createServer } from './http/server.js'
import { createReaderErrors, createStreamMetrics } from './metrics.js'
import { type DecisionRouter, createDecisionRouter } from './sessions/decision-router.js'
import { NO_VOUCHER, createEventIntake, createObserve, createVoucher } from './sessions/event-intake.js'
import { createPublishAppeal } from './sessions/appeals.js'
import { type OpenApprovals, createOpenApprovals, createPublishApproval } from './sessions/open-approvals.js'
import { createLineage, createMemoryLineages } from './sessions/lineage.js'
import { createPrincipalClients } from './sessions/principal-clients.js'
import { createStreamMembers } from './sessions/stream-members.js'
import { serveConnection } from './stream/connection.js'
import { type StreamOptions, attachStream } from './stream/stream.js'

export interface GatewayOptions {
  /** Not closed with the gateway. */
  readonly log: EventLog
  readonly topics?: Topics
  readonly principals: PrincipalsDocument
  /** Has the secrets of principals that sign webhooks. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Default: `127.0.0.1`. */
  readonly host?: string
  /** 0 for any free port. */
  readonly port: number
  /** The port to use if another process has `port`; by default the gateway then does not start. */
  readonly portIfTaken?: number
  /** Settings of the sessions held in this process. */
  readonly client?: Pick<
    ClientSettings,
    'fingerprintKey' | 'identityKey' | 'timeoutMs' | 'catalogue' | 'disclose' | 'without'
  >
  /**
   * What agents' sessions and hosts' unnamed sessions have read, shared by all gateways; not closed with this one. Default: in memory,
   * where every session counts as having read the worst in the first hour.
   */
  readonly lineages?: LineageStore
  /** Signs answers to approval requests. Without it requests are listed and cannot be answered here. */
  readonly signingKey?: string | undefined
  /** Plugins besides the HTTP check. */
  readonly plugins?: readonly GatewayPlugin[]
  readonly metrics: Metrics
  readonly logger: Logger
  /** Ends it while it waits for the log at its start; it then throws `closed`. */
  readonly signal?: AbortSignal
}

export interface Gateway {
  /** Such as `http://127.0.0.1:9465`. */
  readonly url: string
  /** Why it cannot serve agents; undefined while it reads the decisions and its lineages answer. Within half a second. */
  notReady(): Promise<string | undefined>
  /** Takes no more requests, answers open proposals by the fail mode, sends queued events. */
  close(): Promise<void>
}

/** Serves agents over `log`. Resolves when it listens and no decision can be missed; rejects with `config_invalid` if the port is taken. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  let isClosing = false
  const lineages = options.lineages ?? createMemoryLineages()
  const { value, release } = await withReleasers((onRelease) => acquire({ ...options, lineages }, onRelease))
  return {
    url: value.url,
    notReady: async () => {
      if (isClosing) return 'it ends'
      const away = value.isRunning() ? undefined : 'the decisions cannot be read: Kafka does not answer'
      const reasons = [away, await storeMissing(lineages)].filter((reason) => reason !== undefined)
      return reasons.length === 0 ? undefined : reasons.join('; ')
    },
    close: () => {
      isClosing = true
      return release()
    },
  }
}

type WithLineages = GatewayOptions & { readonly lineages: LineageStore }

async function acquire(options: WithLineages, onRelease: OnRelease) {
  const { log, topics = topicsOf(), principals, host = '127.0.0.1', port, metrics, logger, signal } = options
  const { signingKey } = options
  const publish = signingKey === undefined ? undefined : createPublishApproval(log, topics, signingKey)
  const publishAppeal = signingKey === undefined ? undefined : createPublishAppeal(log, topics, signingKey)
  const approvals = createOpenApprovals({ publish, publishAppeal, now: () => systemClock.now() })
  const router = await createDecisionRouter(log, topics, signal, approvals.receive)
  onRelease(router.close)
  if (signal?.aborted) throw new PlimsollError('closed', 'interrupted before the gateway listened')
  const onReaderError = createReaderErrors(metrics, logger)
  const clients = createPrincipalClients(router, { onReaderError, ...options.client }, options.lineages)
  onRelease(clients.close)
  const authenticate = createAuthenticator(principals)
  const doors = createDoorsPlugin(signersOf(principals, options.environment ?? {}))
  const plugins = [checkPlugin, doors, ...(options.plugins ?? [])]
  const app = await createServer({
    authenticate,
    plugins,
    context: { clientOf: clients.of, approvals, logger, metrics },
  })
  onRelease(() => app.close())
  const streamMetrics = createStreamMetrics(metrics)
  const serve = await createStreamServer(options, router, approvals, streamMetrics, onReaderError)
  const stream = attachStream(app.server, { authenticate, serve, metrics: streamMetrics })
  onRelease(stream.close)
  return { url: await listen(app, host, port, options.portIfTaken), isRunning: router.isRunning }
}

/** Each connection has its own intake; all share the observers. */
async function createStreamServer(
  { client = {}, lineages: store }: WithLineages,
  router: DecisionRouter,
  approvals: OpenApprovals,
  metrics: StreamOptions['metrics'],
  onReaderError: (error: unknown) => void,
): Promise<StreamOptions['serve']> {
  const { fingerprintKey: key, identityKey, without, disclose } = client
  const catalogue = await extendShipped(client.catalogue)
  const observe = createObserve({ catalogue, key, without, disclose, onReaderError })
  const now = () => systemClock.now()
  return (socket, principal, bytes) => {
    const voucher = identityKey === undefined ? NO_VOUCHER : createVoucher(principal, identityKey, now)
    const intake = createEventIntake({
      principal,
      catalogue,
      observe,
      voucher,
      onProposed: approvals.proposed,
    })
    const lineage =
      principal.trust === 'agent' ? createLineage(principal, { store, clock: systemClock }) : undefined
    const members = lineage && createStreamMembers(lineage, catalogue)
    serveConnection({ socket, bytes, principal, intake, members, router, metrics, now })
  }
}
