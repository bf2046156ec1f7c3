import { PlimsollError } from '@plimsoll/contracts'
import type { Logger } from '@plimsoll/runtime'
import { fastify, type FastifyInstance, type FastifyRequest } from 'fastify'
import type { GatewayContext, GatewayPlugin } from '../context.js'
import type { Authenticate } from '../principals/authenticator.js'
import type { Principal } from '../principals/principal.js'
import { answerErrors } from './errors.js'

/** The largest body that is read, bytes: the monitors take no larger event. */
export const BODY_BYTES_MAX = 1024 * 1024

const REQUEST_TIMEOUT_MS = 30_000

export interface ServerOptions {
  readonly authenticate: Authenticate
  readonly logger: Logger
  readonly plugins: readonly GatewayPlugin[]
  /** Everything of the context but what the server itself tells. */
  readonly context: Omit<GatewayContext, 'principalOf'>
}

/** The gateway's routes, not listening yet. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { authenticate, logger, plugins } = options
  const app = fastify({
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: true,
    logger: false,
  })
  const principals = new WeakMap<FastifyRequest, Principal>()
  answerErrors(app, (error) => logger.error('a request failed', { error }))
  app.addHook('onRequest', async (request) => {
    if (request.routeOptions.config.open !== true)
      principals.set(request, await authenticate(request.headers))
  })
  const context: GatewayContext = {
    ...options.context,
    principalOf: (request) => {
      const principal = principals.get(request)
      if (!principal) throw new PlimsollError('unauthenticated', 'this route is open to everybody')
      return principal
    },
  }
  for (const plugin of plugins) await app.register(async (scope) => plugin(scope, context))
  return app
}
