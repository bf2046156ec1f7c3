import { type ErrorCode, PlimsollError } from '@plimsoll/contracts'
import type { Logger } from '@plimsoll/runtime'
import { type FastifyInstance, type FastifyRequest, fastify } from 'fastify'
import type { Authenticate } from '../auth/authenticator.js'
import type { Principal } from '../auth/principals-file.js'
import type { GatewayContext, GatewayPlugin } from '../context.js'

/** Statuses of errors; others are 400 where their code tells of an event, else 500. */
const STATUSES: Partial<Record<ErrorCode, number>> = {
  unauthenticated: 401,
  forbidden: 403,
  approval_unknown: 404,
  session_unknown: 404,
  session_state_lost: 404,
  call_conflict: 409,
  session_already_started: 409,
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

export interface ErrorBody {
  readonly error: { readonly code: ErrorCode; readonly message: string; readonly retryable: boolean }
}

export const statusOf = (code: ErrorCode): number => STATUSES[code] ?? 500

export const bodyOf = ({ code, message, retryable }: PlimsollError): ErrorBody => ({
  error: { code, message, retryable },
})

/** Answers what goes wrong by the catalogue of errors, and says nothing of what is inside. */
export function answerErrors(app: FastifyInstance, onDefect: (error: unknown) => void): void {
  app.setErrorHandler((error, _request, reply) => {
    const reported = publicError(error, onDefect)
    if (reported.code === 'unauthenticated') void reply.header('www-authenticate', 'Bearer')
    return reply.status(statusOf(reported.code)).send(bodyOf(reported))
  })
  app.setNotFoundHandler((_request, reply) =>
    reply.status(404).send(bodyOf(new PlimsollError('schema_invalid', 'there is nothing at this address'))),
  )
}

function publicError(error: unknown, onDefect: (error: unknown) => void): PlimsollError {
  if (error instanceof PlimsollError) return error
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  const message = error instanceof Error ? error.message : String(error)
  if (status === 413) return new PlimsollError('event_oversize', 'the body is too large')
  if (status >= 400 && status < 500) return new PlimsollError('schema_invalid', message)
  onDefect(error)
  return new PlimsollError('engine_failed', 'the gateway failed at this request')
}

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
