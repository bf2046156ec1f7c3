import { PlimsollError } from '@plimsoll/contracts'
import { systemClock } from '@plimsoll/runtime'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { GatewayContext, GatewayPlugin } from '../context.js'
import { createDesk, type Desk } from './desk.js'
import { readJson } from './json-body.js'
import { openApiDocument } from './openapi.js'
import type { Route } from './route.js'
import { CHECK_ROUTES } from './routes.js'

/** `POST /v1/check` and what goes with it, and the OpenAPI document of both at `/openapi.json`. */
export const checkPlugin: GatewayPlugin = (app, context) => {
  const desk = createDesk({ clientOf: context.clientOf, now: () => systemClock.now() })
  readJson(app)
  for (const route of CHECK_ROUTES) app.post(route.path, handlerOf(route, desk, context))
  const document = openApiDocument()
  app.get('/openapi.json', { config: { open: true } }, () => document)
}

function handlerOf(route: Route, desk: Desk, { principalOf }: Pick<GatewayContext, 'principalOf'>) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const caller = { principal: principalOf(request), desk, signal: signalOf(reply) }
    const answer = await route.answer(request.body, caller)
    return answer ?? reply.status(204).send()
  }
}

/** Aborts where the caller hangs up before it is answered. */
function signalOf({ raw }: FastifyReply): AbortSignal {
  const hangUp = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) hangUp.abort(new PlimsollError('closed', 'the caller has hung up'))
  })
  return hangUp.signal
}
