import type { IncomingHttpHeaders } from 'node:http'
import { type TraceContext, PlimsollError } from '@plimsoll/contracts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { GatewayPlugin } from '../context.js'
import { readJson } from './exact-json.js'
import { openApiDocument } from './openapi.js'
import { APPROVAL_ROUTES } from './approval-routes.js'
import { CHECK_ROUTES } from './routes.js'

/** Requests of one principal in progress at a time. Those that wait for humans cost little but their place. */
const OPEN_REQUESTS_MAX = 1_000

/** Bounds the requests in progress of each principal, so that none takes the room of the others. */
export function createOpenRequests(max = OPEN_REQUESTS_MAX) {
  const counts = new Map<string, number>()

  function leave(principal: string): void {
    const left = (counts.get(principal) ?? 1) - 1
    if (left > 0) counts.set(principal, left)
    else counts.delete(principal)
  }

  return {
    /** Rejects with `queue_full`, else as `work` does. */
    during: async <T>(principal: string, work: () => Promise<T>): Promise<T> => {
      const count = counts.get(principal) ?? 0
      if (count >= max)
        throw new PlimsollError('queue_full', `\`${principal}\` has ${max} requests in progress, the limit`)
      counts.set(principal, count + 1)
      try {
        return await work()
      } finally {
        leave(principal)
      }
    },
  }
}

/** The routes under `/v1`, and their OpenAPI document at `/openapi.json`. */
export const checkPlugin: GatewayPlugin = (app, context) => {
  const { principalOf, sessions, approvals, checkMetrics: metrics } = context
  const requests = createOpenRequests()
  readJson(app)
  for (const route of [...CHECK_ROUTES, ...APPROVAL_ROUTES]) {
    const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
      const principal = principalOf(request)
      const trace = traceOf(request.headers)
      const caller = { sessions, approvals, metrics, principal, signal: signalOf(reply), trace }
      const answered = await requests.during(principal.name, () => route.answer(request.body, caller))
      return answered ?? reply.status(204).send()
    }
    const onResponse = async (_: FastifyRequest, reply: FastifyReply) =>
      metrics.answered(route.name, reply.statusCode)
    app.post(route.path, { onResponse }, answer)
  }
  const document = openApiDocument()
  app.get('/openapi.json', { config: { open: true } }, () => document)
}

/** Aborts if the caller hangs up before it is answered. */
function signalOf({ raw }: FastifyReply): AbortSignal {
  const hangUp = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) hangUp.abort(new PlimsollError('closed', 'the caller has hung up'))
  })
  return hangUp.signal
}

/** The client checks its form. */
function traceOf({ traceparent, tracestate }: IncomingHttpHeaders): TraceContext | undefined {
  if (typeof traceparent !== 'string') return undefined
  return { traceparent, ...(typeof tracestate === 'string' && { tracestate }) }
}
