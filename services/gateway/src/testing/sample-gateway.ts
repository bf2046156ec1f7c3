import { type Guard, createGuard } from '@plimsoll/client'
import { PlimsollError } from '@plimsoll/contracts'
import { silentLogger } from '@plimsoll/runtime'
import { createMetrics } from '@plimsoll/runtime/metrics'
import type { FastifyInstance } from 'fastify'
import type { Signer } from '../auth/authenticator.js'
import type { Principal } from '../auth/principals.js'
import { createDoorsPlugin } from '../doors/plugin.js'
import { checkPlugin } from '../http/plugin.js'
import { type ServerContext, createServer } from '../http/server.js'

/** The HTTP check without a socket. For tests. */
export interface ServedGateway {
  readonly app: FastifyInstance
  /** Posts as `by` (default: `ann`); returns the status and the body. */
  post(path: string, body: unknown, by?: string, headers?: Readonly<Record<string, string>>): Promise<Posted>
}

/** Over an engine in this process. */
export interface SampleGateway extends ServedGateway {
  readonly guard: Guard
}

export interface Posted {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** Accepts any name: authentication has tests of its own. */
const principalNamed = (name: string): Principal => ({ name, tenant: 'default', trust: 'host' })

export async function createServedGateway(
  context: ServerContext,
  signers: ReadonlyMap<string, Signer> = new Map(),
): Promise<ServedGateway> {
  const app = await createServer({
    authenticate: async ({ authorization }) => {
      if (authorization === undefined) throw new PlimsollError('unauthenticated', 'expected `authorization`')
      return principalNamed(authorization.replace('Bearer ', ''))
    },
    plugins: [checkPlugin, createDoorsPlugin(signers)],
    context,
  })
  return {
    app,
    post: async (url, payload, by = 'ann', more = {}) => {
      const headers = { authorization: `Bearer ${by}`, 'content-type': 'application/json', ...more }
      const text = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload)
      const reply = await app.inject({ method: 'POST', url, headers, payload: text })
      return { status: reply.statusCode, body: reply.body === '' ? {} : reply.json() }
    },
  }
}

export async function createSampleGateway(
  test: { after(release: () => Promise<void>): void },
  signers?: ReadonlyMap<string, Signer>,
): Promise<SampleGateway> {
  const guard = await createGuard()
  const context = {
    clientOf: async () => guard,
    logger: silentLogger,
    metrics: createMetrics({ hasProcessMetrics: false }),
  }
  const served = await createServedGateway(context, signers)
  test.after(async () => {
    await served.app.close()
    await guard.close()
  })
  return { ...served, guard }
}
