import type { PlimsollClient } from '@plimsoll/client'
import type { Logger, Metrics } from '@plimsoll/runtime'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Principal } from './auth/principals-file.js'
import type { LineageScope } from './lineage/lineage.js'

/** What every part of the gateway gets. */
export interface GatewayContext {
  /**
   * The client through which the sessions of `principal` go, all over one tail. What it starts is of the principal's tenant and category,
   * and of an agent it takes nothing that would make a verdict milder. Sessions that their host does not name go by its `scope`: each begins with what
   * the others of that scope have read, in any gateway. Not to be closed. Throws `queue_full` where too many principals have sessions.
   */
  clientOf(principal: Principal, scope?: LineageScope): Promise<PlimsollClient>
  /** Who sent a request; each one that reaches a route has proved it, but for routes with `config: { open: true }`. */
  principalOf(request: FastifyRequest): Principal
  readonly logger: Logger
  readonly metrics: Metrics
}

/** A part of the gateway: its routes. Errors that they throw are answered as JSON, `{ error: { code, message, retryable } }`. */
export type GatewayPlugin = (app: FastifyInstance, context: GatewayContext) => Promise<void> | void

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Anyone who can reach the gateway may ask; only its principals where it is left out. */
    open?: boolean
  }
}
