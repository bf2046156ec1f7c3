import { Agent, request } from 'node:http'
import { hashOfKey, parsePrincipals, startGateway, type GatewayPlugin } from '@plimsoll/gateway'
import { topicsOf } from '@plimsoll/contracts'
import { startMonitor } from '@plimsoll/monitor'
import { defaultDocuments } from '@plimsoll/policy'
import { noMetrics, silentLogger, topicSpecs } from '@plimsoll/runtime'
import { createEmbeddedLog, createEmbeddedStore } from '@plimsoll/runtime/embedded'
import { quantile, roundedMs } from '../report.js'

const CHECKS = 4_000
const WARM_UP = 1_000
const CALLS_PER_SESSION = 20
const API_KEY = 'key-of-the-benchmark'

/** A route that does nothing but what every route does: the principal is known, JSON comes and goes. */
const emptyRoute: GatewayPlugin = (app) => {
  app.post('/v1/empty', async () => ({ verdict: 'allow' }))
}

/** `POST /v1/check` over the embedded adapters against an empty handler of the same server, in turns, one at a time. */
export async function checkFigures(): Promise<Record<string, number>> {
  const log = createEmbeddedLog()
  const store = createEmbeddedStore()
  const topics = topicsOf()
  await log.createTopics(topicSpecs(topics, { partitions: 4 }))
  const common = { log, topics, metrics: noMetrics, logger: silentLogger }
  const documents: [Awaited<ReturnType<typeof defaultDocuments>>] = [await defaultDocuments()]
  const monitor = startMonitor({ ...common, store, documents, group: 'bench' })
  await monitor.started
  const bench = { name: 'bench', trust: 'host', keys: [hashOfKey(API_KEY)] }
  const principals = parsePrincipals({ principals: [bench] })
  const gateway = await startGateway({ ...common, principals, port: 0, plugins: [emptyRoute] })
  try {
    return await measured(gateway.url)
  } finally {
    await gateway.close()
    await monitor.close()
    await log.close()
    await store.close()
  }
}

async function measured(url: string): Promise<Record<string, number>> {
  const agent = new Agent({ keepAlive: true })
  const checks: number[] = []
  const empty: number[] = []
  for (let i = 0; i < CHECKS + WARM_UP; i++) {
    const user = `user-${Math.floor(i / CALLS_PER_SESSION)}`
    const callId = `call-${i}`
    const step = { user, callId, tool: 'list_files', arguments: { path: '/srv' } }
    const spent = await timed(() => post(agent, `${url}/v1/check`, step))
    await post(agent, `${url}/v1/complete`, { user, callId })
    const nothing = await timed(() => post(agent, `${url}/v1/empty`, step))
    if (i < WARM_UP) continue
    checks.push(spent)
    empty.push(nothing)
  }
  agent.destroy()
  return {
    'embedded: empty handler p50, ms': roundedMs(quantile(empty, 0.5)),
    'embedded: empty handler p99, ms': roundedMs(quantile(empty, 0.99)),
    'embedded: check p50, ms': roundedMs(quantile(checks, 0.5)),
    'embedded: check p99, ms': roundedMs(quantile(checks, 0.99)),
    'embedded: check p50 to empty handler, ratio': roundedMs(quantile(checks, 0.5) / quantile(empty, 0.5)),
    'embedded: check p99 to empty handler, ratio': roundedMs(quantile(checks, 0.99) / quantile(empty, 0.99)),
  }
}

async function timed(act: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await act()
  return performance.now() - start
}

function post(agent: Agent, url: string, body: unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${API_KEY}` }
    const sent = request(url, { method: 'POST', agent, headers }, (reply) => {
      const { statusCode = 0 } = reply
      if (statusCode >= 300) reject(new Error(`${url} answered with status ${statusCode}`))
      reply.resume().once('end', resolve)
    })
    sent.once('error', reject)
    sent.end(JSON.stringify(body))
  })
}
