import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { PlimsollClient } from '@plimsoll/client'
import { connectGateway } from '@plimsoll/client/gateway'
import { connectClient } from '@plimsoll/client/kafka'
import { hashOfKey } from '@plimsoll/gateway'
import { pause } from '@plimsoll/runtime'
import { startCli, type CliProcess } from '../../e2e/cli-process.js'
import { loadClient } from './client-load.js'
import { checkFigures } from '../pipeline/embedded-check.js'
import { startForwarder } from '../pipeline/forwarder.js'
import { startMonitorProcess } from '../pipeline/monitor-process.js'
import { latencyOf, startLoad } from './open-loop.js'
import { quantile, roundedMs, type Report } from '../report.js'
import { withBenchDeployment, type BenchDeployment } from '../world.js'

const RATE = Number(process.env['PLIMSOLL_BENCH_RATE'] ?? 1_000)
const SECONDS = 10
const WARM_UP_SECONDS = 5
const API_KEY = 'key-of-the-benchmark'

/**
 * From a proposal to its verdict as an agent's host waits for it, open-loop, over real Kafka and Redis: through a client on Kafka and through
 * one behind a gateway, against records echoed by a bare kafkajs forwarder, in one run. Monitor and gateway are processes of their own.
 */
export async function benchEnforcement(): Promise<Report> {
  const overKafka = await withBenchDeployment(async (deployment) => {
    const echoed = await echo(deployment)
    const monitor = await startMonitorProcess(deployment)
    try {
      const connecting = performance.now()
      const client = await connectClient(connectionOf(deployment))
      const connectedMs = performance.now() - connecting
      const direct = await decided(client)
      const behind = await behindGateway(deployment)
      return {
        'proposals/s': RATE,
        ...figuresOf('bare kafkajs echo', echoed),
        'direct Kafka: connecting, ms': Math.round(connectedMs),
        ...figuresOf('direct Kafka', direct, echoed),
        ...figuresOf('gateway', behind, echoed),
      }
    } finally {
      await ended(monitor)
    }
  })
  return { name: 'enforcement', figures: { ...overKafka, ...(await checkFigures()) } }
}

const connectionOf = ({ brokers, prefix }: BenchDeployment) => ({
  brokers: [...brokers],
  topicPrefix: `${prefix}plimsoll`,
})

async function echo(deployment: BenchDeployment): Promise<readonly number[]> {
  const to = `${deployment.prefix}echo`
  const group = `${deployment.prefix}bare`
  const bare = await startForwarder({
    brokers: deployment.brokers,
    from: deployment.topics.events,
    to,
    group,
  })
  const load = await startLoad(deployment, { answers: to, run: 'echo', rate: RATE })
  await pause((WARM_UP_SECONDS + SECONDS) * 1000)
  const { samples } = await load.end()
  await bare.stop()
  return samples.slice(WARM_UP_SECONDS * RATE).map(latencyOf)
}

/** Latencies through `client`, which is closed. Throws where the machine cannot keep up: whatever was measured then is of its queues. */
async function decided(client: PlimsollClient): Promise<readonly number[]> {
  const load = { rate: RATE, seconds: SECONDS, warmUpSeconds: WARM_UP_SECONDS }
  const { answered, undecided } = await loadClient(client, load)
  await client.close()
  if (undecided > 0)
    throw new Error(
      `at ${RATE}/s ${undecided} proposals were answered by no decision: set PLIMSOLL_BENCH_RATE`,
    )
  return answered
}

async function behindGateway(deployment: BenchDeployment): Promise<readonly number[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-bench-'))
  const file = path.join(folder, 'principals.json')
  const principal = { name: 'bench', trust: 'host', keys: [hashOfKey(API_KEY)] }
  await writeFile(file, JSON.stringify({ principals: [principal] }))
  const env = { ...deployment.env, PLIMSOLL_PRINCIPALS: file, PLIMSOLL_GATEWAY_PORT: '0' }
  const gateway = startCli(['gateway'], { env })
  try {
    const line = await gateway.printed(/"serving agents"/)
    const { url } = JSON.parse(line) as { url: string }
    return await decided(await connectGateway({ url, credential: API_KEY }))
  } finally {
    await ended(gateway)
    await rm(folder, { recursive: true })
  }
}

async function ended(cli: CliProcess): Promise<void> {
  cli.signal('SIGTERM')
  await cli.ended
}

function figuresOf(what: string, latencies: readonly number[], echoed?: readonly number[]) {
  const figures: Record<string, number> = {}
  for (const [name, p] of [
    ['p50', 0.5],
    ['p99', 0.99],
  ] as const) {
    figures[`${what} ${name}, ms`] = roundedMs(quantile(latencies, p))
    if (echoed)
      figures[`${what} ${name} to echo, ratio`] = roundedMs(quantile(latencies, p) / quantile(echoed, p))
  }
  return figures
}
