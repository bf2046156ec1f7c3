import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sign, versionOf, type Control, type ControlOf, type EventOf, type Policy } from '@plimsoll/contracts'
import { defaultDocuments } from '@plimsoll/policy'
import { controlKeyOf, registerDocument } from '@plimsoll/runtime'
import { Redis } from 'ioredis'
import { type CliProcess, runCli, startCli } from '../e2e/cli-process.js'
import { kafka, redis } from '../support/components/components.js'
import { settleControl } from '../support/sessions/controls.js'
import { deploy, SIGNING_KEY, type Deployment } from '../support/sessions/deployment.js'
import { sessionScript } from '../support/sessions/events.js'
import { freePorts } from '../support/components/free-ports.js'
import { startBusyGateway } from './busy-gateway.js'

const PATIENT = ['--timeout', '90s']

export interface BusyDeployment {
  /** Of the metrics of the monitor and of a gateway, `host:port`; the same when another monitor takes its place. */
  readonly targets: readonly string[]
  /**
   * Has everything happen that the metrics tell of, what is rare too. Resolves when it has. `untilSeen` is awaited with the last metric of a
   * monitor that is about to go.
   */
  live(untilSeen: (query: string) => Promise<void>): Promise<void>
  close(): Promise<void>
}

/** A monitor of its own process on the real Kafka and Redis, under names of its own. */
export async function createBusyDeployment(): Promise<BusyDeployment> {
  const deployment = await deploy('real', { partitions: 2 })
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-busy-'))
  const [port = 0, gatewayPort = 0] = await freePorts(2)
  const env = await environment(deployment, port, folder)
  const processes: CliProcess[] = []
  const startMonitor = async (more: Readonly<Record<string, string>> = {}) => {
    const monitor = startCli(['monitor'], { env: { ...env, ...more } })
    processes.push(monitor)
    await monitor.printed(/"consuming"/)
    return monitor
  }
  const plimsoll = async (...args: readonly string[]) => {
    const { code, stderr } = await runCli(args, { env })
    if (code !== 0) throw new Error(`\`plimsoll ${args.join(' ')}\` ended with ${code}: ${stderr}`)
  }
  return {
    targets: [`127.0.0.1:${port}`, `127.0.0.1:${gatewayPort}`],
    live: async (untilSeen) => {
      const candidate = await withCandidate(folder)
      const first = await startMonitor(candidate.env)
      const gateway = await startBusyGateway(env, gatewayPort, folder)
      processes.push(gateway.process)
      await gateway.speak()
      const policy = await registerDocument(
        deployment.log,
        deployment.topics.registry,
        await neverAfterReading(),
      )
      await settleControl(deployment, {
        id: 'try',
        type: 'shadow.changed',
        candidate: { bundle: candidate.version, policy },
      })
      await playFleets(plimsoll)
      await sendNonsense(deployment)
      await runWithoutVerdict(deployment)
      await breakPolicies(deployment)
      await plimsoll('control', 'stop', '--by', 'ada', '--reason', 'a test')
      await plimsoll('control', 'resume', '--by', 'ada', '--reason', 'a test')
      await sendStaleControl(deployment)
      await untilSeen('plimsoll_controls_total{outcome="refused"}')
      // The last sessions alone count transitions: an increase needs two scrapes before this monitor ends.
      await untilSeen('increase(plimsoll_transitions_total[6h])')
      await untilSeen('increase(plimsoll_bucket_steps_total[6h])')
      first.signal('SIGTERM')
      await first.ended
      await gateway.askInVain()
      await flush(deployment)
      await startMonitor()
      await plimsoll('fleet', '--run', 'after', '--sessions', '8', '--rate', '20', ...PATIENT)
    },
    close: async () => {
      for (const each of processes) each.signal('SIGKILL')
      await Promise.all(processes.map(({ ended }) => ended))
      await deployment.close()
      await rm(folder, { recursive: true })
    },
  }
}

/** A policy that differs from the shipped policy as soon as something was read. */
async function neverAfterReading(): Promise<Policy> {
  const { policy } = await defaultDocuments()
  const spec: Policy['specs'][number] = {
    id: 'never-after-reading',
    tier: 'blocklist',
    capability: ['write', 'network'],
    after: { capability: ['read'] },
  }
  return { ...policy, name: 'candidate', specs: [spec] }
}

/** Settings of a monitor that has a candidate as a file, which the next monitor has not; and the candidate's version. */
async function withCandidate(folder: string) {
  const { bundle } = await defaultDocuments()
  const candidate = { ...bundle, name: 'candidate' }
  const files = [path.join(folder, 'bundle.json'), path.join(folder, 'candidate.json')] as const
  await writeFile(files[0], JSON.stringify(bundle))
  await writeFile(files[1], JSON.stringify(candidate))
  return { version: versionOf(candidate), env: { PLIMSOLL_BUNDLES: files.join(',') } }
}

/** On tools that no fleet has. */
const OWN_SPECS: Policy['specs'] = [
  { id: 'few', tier: 'blocklist', tools: ['own_write'], fleet: { sessions: 0, seconds: 60 } },
  {
    id: 'owed',
    tier: 'mustlist',
    tools: ['own_write'],
    followedBy: { step: { tools: ['own_read'] }, within: 'session' },
  },
  {
    id: 'kept-in',
    tier: 'blocklist',
    flow: { from: { confidentiality: ['credentials'] }, to: { tools: ['own_send'] } },
  },
]

/** A session that finds no room in the fleet, does it all the same, is let off a flow, and ends owing. */
async function breakPolicies({ publish }: Deployment): Promise<void> {
  const script = sessionScript('owing')
  const granted = sign<EventOf<'declassification.granted'>>(
    {
      schema: 1,
      id: 'granted',
      sessionId: 'owing',
      producer: 'console',
      seq: 0,
      time: 0,
      type: 'declassification.granted',
      spec: 'kept-in',
      by: 'ada',
      reason: 'a test',
    },
    SIGNING_KEY,
  )
  await publish([
    script.start('sysadmin'),
    script.propose('own_write', 'no-room'),
    script.complete('own_write', 'no-room'),
    granted,
    script.end(),
  ])
}

/** A policy by which questions expire while one waits. */
async function environment({ prefix }: Deployment, port: number, folder: string) {
  const policy = path.join(folder, 'policy.json')
  const { policy: shipped } = await defaultDocuments()
  const specs = [...shipped.specs, ...OWN_SPECS]
  await writeFile(
    policy,
    JSON.stringify({ ...shipped, specs, approvals: { ...shipped.approvals, ttlSeconds: 1 } }),
  )
  return {
    KAFKA_BROKERS: kafka.brokers.join(','),
    REDIS_URL: redis.url,
    PLIMSOLL_TOPIC_PREFIX: `${prefix}plimsoll`,
    PLIMSOLL_HTTP_PORT: String(port),
    PLIMSOLL_SIGNING_KEY: SIGNING_KEY,
    PLIMSOLL_POLICIES: policy,
  }
}

/** Agents that obey, agents that do not, and agents that nobody answers. */
async function playFleets(plimsoll: (...args: readonly string[]) => Promise<void>): Promise<void> {
  const some = ['--sessions', '40', '--rate', '60']
  await plimsoll('fleet', '--run', 'obeys', '--tenants', 'acme,globex', ...some, ...PATIENT)
  await plimsoll('fleet', '--run', 'goes-on', '--observe', ...some, ...PATIENT)
  await plimsoll('fleet', '--run', 'alone', '--no-reviews', ...some, ...PATIENT)
}

/** A step that no verdict came to in time, and that ran. */
async function runWithoutVerdict({ publish }: Deployment): Promise<void> {
  const script = sessionScript('withoutVerdict')
  await publish([script.start('sysadmin'), script.complete('read_email', 'ran-anyhow'), script.end()])
}

/** Events and documents that are none, and more events of one session in a second than there may be. */
async function sendNonsense({ log, topics, publishRaw }: Deployment): Promise<void> {
  await publishRaw('some-session', 'no JSON')
  await log.produce(topics.registry, [{ key: 'no such key', value: 'no document' }])
  const record = { key: 'noisy', value: '{}' }
  await log.produce(
    topics.events,
    Array.from({ length: 2_000 }, () => record),
  )
}

/** A change from before the latest: refused, and reported. */
async function sendStaleControl({ log, topics, partitions }: Deployment): Promise<void> {
  const control = sign<ControlOf<'fleet.resumed'>>(
    { schema: 1, id: 'old', type: 'fleet.resumed', partition: 0, time: 1, by: 'ada' },
    SIGNING_KEY,
  ) satisfies Control
  await log.produce(topics.events, [{ key: controlKeyOf(0, partitions), value: JSON.stringify(control) }])
}

/** All that this world has in Redis: to the next monitor it is a flushed one. */
async function flush({ prefix }: Deployment): Promise<void> {
  const client = new Redis(redis.url)
  for await (const keys of client.scanStream({ match: `${prefix}*`, count: 1000 }))
    if ((keys as string[]).length > 0) await client.del(...(keys as string[]))
  client.disconnect()
}
