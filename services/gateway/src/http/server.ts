import { type ErrorCode, PlimsollError } from '@plimsoll/contracts'
import { type FastifyInstance, type FastifyRequest, fastify } from 'fastify'
import type { Authenticate } from '../auth/authenticator.js'
import type { Principal } from '../auth/principals.js'
import type { GatewayContext, GatewayPlugin } from '../context.js'
import { createCheckMetrics } from '../metrics.js'
import { createSessionRegistry } from '../sessions/session-registry.js'

/** Statuses of error codes, as in docs/reference/http.md; 500 for the others. */
const STATUSES: Partial<Record<ErrorCode, number>> = {
  unauthenticated: 401,
  forbidden: 403,
  approval_unknown: 404,
  session_unknown: 404,
  session_state_lost: 404,
  call_conflict: 409,
  session_already_started: 409,
  step_blocked: 409,
  session_ended: 410,
  event_oversize: 413,
  schema_invalid: 400,
  document_invalid: 400,
  not_json: 400,
  quota_exceeded: 429,
  queue_full: 429,
  closed: 503,
  log_unavailable: 503,
  store_unavailable: 503,
  issuer_unavailable: 503,
}

export const statusOf = (code: ErrorCode): number => STATUSES[code] ?? 500

const bodyOf = ({ code, message, retryable }: PlimsollError) => ({ error: { code, message, retryable } })

/** Answers errors by the error catalogue, without internal details. */
function answerErrors(app: FastifyInstance, onDefect: (error: unknown) => void): void {
  app.setErrorHandler((error, _request, reply) => {
    const shown = publicError(error, onDefect)
    if (shown.code === 'unauthenticated') void reply.header('www-authenticate', 'Bearer')
    return reply.status(statusOf(shown.code)).send(bodyOf(shown))
  })
  app.setNotFoundHandler((_request, reply) =>
    reply.status(404).send(bodyOf(new PlimsollError('schema_invalid', 'there is nothing at this address'))),
  )
}

/** What may be shown of an error. */
export function publicError(error: unknown, onDefect: (error: unknown) => void): PlimsollError {
  if (error instanceof PlimsollError) return error
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  const message = error instanceof Error ? error.message : String(error)
  if (status === 413) return new PlimsollError('event_oversize', 'the body is too large')
  if (status >= 400 && status < 500) return new PlimsollError('schema_invalid', message)
  onDefect(error)
  return new PlimsollError('engine_failed', 'the gateway failed at this request')
}

/** Largest body, bytes: the monitors take no larger event. */
const BODY_BYTES_MAX = 1024 * 1024

const REQUEST_TIMEOUT_MS = 30_000

/** What the server is given; the rest of the context it makes. */
export type ServerContext = Omit<GatewayContext, 'principalOf' | 'sessions' | 'checkMetrics'>

export interface ServerOptions {
  readonly authenticate: Authenticate
  readonly plugins: readonly GatewayPlugin[]
  readonly context: ServerContext
}

/** The gateway's routes, not listening yet. */
export async function createServer({
  authenticate,
  plugins,
  context,
}: ServerOptions): Promise<FastifyInstance> {
  const { clientOf, logger } = context
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
  const sessions = createSessionRegistry({ clientOf, now: Date.now, logger })
  app.addHook('onClose', sessions.close)
  const principalOf = (request: FastifyRequest): Principal => {
    const principal = principals.get(request)
    if (principal) return principal
    throw new PlimsollError('unauthenticated', 'this route needs no principal')
  }
  const whole = { ...context, sessions, principalOf, checkMetrics: createCheckMetrics(context.metrics) }
  for (const plugin of plugins) await app.register(async (scope) => plugin(scope, whole))
  return app
}
