import type { PlimsollClient } from '@plimsoll/client'
import type { Logger, Metrics } from '@plimsoll/runtime'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Principal } from './auth/principals.js'
import type { CheckMetrics } from './metrics.js'
import type { OpenApprovals } from './sessions/open-approvals.js'
import type { LineageScope } from './sessions/lineage.js'
import type { SessionRegistry } from './sessions/session-registry.js'

/** What every part of the gateway gets. */
export interface GatewayContext {
  /**
   * The client of a principal's sessions. They are of its tenant and category, and nothing of an agent makes a verdict milder. With
   * `scope`, a host's unnamed sessions start with what the others of that scope have read, in any gateway. Must not be closed. Throws
   * `queue_full` if too many principals have sessions.
   */
  clientOf(principal: Principal, scope?: LineageScope): Promise<PlimsollClient>
  /** The sessions that the gateway holds, over HTTP and MCP. */
  readonly sessions: SessionRegistry
  /** The approval requests of the deployment; undefined where this process decides itself. */
  readonly approvals?: OpenApprovals
  /** The authenticated sender of a request. Every route requires one, except those with `config: { open: true }`. */
  principalOf(request: FastifyRequest): Principal
  readonly logger: Logger
  readonly metrics: Metrics
  /** Of every route that answers with a verdict. */
  readonly checkMetrics: CheckMetrics
}

/** Routes of one part of the gateway. Their errors are answered as JSON, `{ error: { code, message, retryable } }`. */
export type GatewayPlugin = (app: FastifyInstance, context: GatewayContext) => Promise<void> | void

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route needs no principal. */
    open?: boolean
  }
}
