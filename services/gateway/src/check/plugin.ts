import type { IncomingHttpHeaders } from 'node:http'
import { type TraceContext, PlimsollError } from '@plimsoll/contracts'
import { systemClock } from '@plimsoll/runtime'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { GatewayPlugin } from '../context.js'
import { readJson } from '../json/exact-json.js'
import { createCheckMetrics } from './metrics.js'
import { openApiDocument } from './openapi.js'
import { CHECK_ROUTES } from './routes.js'
import { createHttpSessionRegistry } from './session-registry.js'

/** Requests of one principal that may be under way at a time: those that wait for humans cost nothing but their place. */
export const OPEN_REQUESTS_MAX = 1_000

/** Sees that no principal has more requests under way than it may: the rest of them keep their room. */
export interface OpenRequests {
  /** Rejects with `queue_full`, else as `work` does. */
  during<T>(principal: string, work: () => Promise<T>): Promise<T>
}

export function createOpenRequests(max = OPEN_REQUESTS_MAX): OpenRequests {
  const counts = new Map<string, number>()

  function leave(principal: string): void {
    const left = (counts.get(principal) ?? 1) - 1
    if (left > 0) counts.set(principal, left)
    else counts.delete(principal)
  }

  return {
    during: async (principal, work) => {
      const count = counts.get(principal) ?? 0
      if (count >= max)
        throw new PlimsollError(
          'queue_full',
          `\`${principal}\` has ${max} requests under way, as many as it may`,
        )
      counts.set(principal, count + 1)
      try {
        return await work()
      } finally {
        leave(principal)
      }
    },
  }
}

/** `POST /v1/check` and what goes with it, and the OpenAPI document of both at `/openapi.json`. */
export const checkPlugin: GatewayPlugin = (app, { clientOf, principalOf, metrics }) => {
  const shared = {
    sessions: createHttpSessionRegistry({ clientOf, now: () => systemClock.now() }),
    metrics: createCheckMetrics(metrics),
  }
  const requests = createOpenRequests()
  readJson(app)
  for (const route of CHECK_ROUTES) {
    const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
      const principal = principalOf(request)
      const caller = { ...shared, principal, signal: signalOf(reply), trace: traceOf(request.headers) }
      const answered = await requests.during(principal.name, () => route.answer(request.body, caller))
      return answered ?? reply.status(204).send()
    }
    const onResponse = async (_: FastifyRequest, reply: FastifyReply) =>
      shared.metrics.answered(route.name, reply.statusCode)
    app.post(route.path, { onResponse }, answer)
  }
  const document = openApiDocument()
  app.get('/openapi.json', { config: { open: true } }, () => document)
}

/** Aborts where the caller hangs up before it is answered. */
function signalOf({ raw }: FastifyReply): AbortSignal {
  const hangUp = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) hangUp.abort(new PlimsollError('closed', 'the caller has hung up'))
  })
  return hangUp.signal
}

/** As the caller tells it: the client sees whether it is one. */
function traceOf({ traceparent, tracestate }: IncomingHttpHeaders): TraceContext | undefined {
  if (typeof traceparent !== 'string') return undefined
  return { traceparent, ...(typeof tracestate === 'string' && { tracestate }) }
}
