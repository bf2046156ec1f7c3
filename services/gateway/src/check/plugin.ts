import type { IncomingHttpHeaders } from 'node:http'
import { PlimsollError, type TraceContext } from '@plimsoll/contracts'
import { systemClock } from '@plimsoll/runtime'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { GatewayPlugin } from '../context.js'
import { createDesk } from './desk.js'
import { readJson } from '../json/json-body.js'
import { createCheckMetrics } from './metrics.js'
import { createOpenRequests } from './open-requests.js'
import { openApiDocument } from './openapi.js'
import { CHECK_ROUTES } from './routes.js'

/** `POST /v1/check` and what goes with it, and the OpenAPI document of both at `/openapi.json`. */
export const checkPlugin: GatewayPlugin = (app, { clientOf, principalOf, metrics }) => {
  const shared = {
    desk: createDesk({ clientOf, now: () => systemClock.now() }),
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
