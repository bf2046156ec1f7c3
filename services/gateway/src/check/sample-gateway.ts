import { createGuard, type Guard } from '@plimsoll/client'
import { PlimsollError } from '@plimsoll/contracts'
import { noMetrics, silentLogger } from '@plimsoll/runtime'
import type { FastifyInstance } from 'fastify'
import type { Principal } from '../principals/principal.js'
import { createServer } from '../server/server.js'
import { checkPlugin } from './plugin.js'

/** The HTTP check over an engine in this process. For tests. */
export interface SampleGateway {
  readonly app: FastifyInstance
  readonly guard: Guard
  /** Posts as `by` (`ann` where it is left out); gives the status and what was answered. */
  post(path: string, body: unknown, by?: string): Promise<Posted>
}

export interface Posted {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** Whoever names himself is believed: proving it is tested where that is done. */
const principalNamed = (name: string): Principal => ({ name, tenant: 'default', trust: 'host' })

export async function createSampleGateway(test: {
  after(release: () => Promise<void>): void
}): Promise<SampleGateway> {
  const guard = await createGuard()
  const app = await createServer({
    authenticate: async ({ authorization }) => {
      if (authorization === undefined) throw new PlimsollError('unauthenticated', 'expected `authorization`')
      return principalNamed(authorization.replace('Bearer ', ''))
    },
    logger: silentLogger,
    plugins: [checkPlugin],
    context: { clientOf: async () => guard, logger: silentLogger, metrics: noMetrics },
  })
  test.after(async () => {
    await app.close()
    await guard.close()
  })
  return {
    app,
    guard,
    post: async (url, payload, by = 'ann') => {
      const headers = { authorization: `Bearer ${by}`, 'content-type': 'application/json' }
      const text = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload)
      const reply = await app.inject({ method: 'POST', url, headers, payload: text })
      return { status: reply.statusCode, body: reply.body === '' ? {} : reply.json() }
    },
  }
}
