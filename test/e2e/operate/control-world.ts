import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { topicsOf, type Documents, type Topics } from '@plimsoll/contracts'
import { defaultDocuments } from '@plimsoll/policy'
import { topicSpecs, type EventLog } from '@plimsoll/runtime'
import { createKafkaLog } from '@plimsoll/runtime/kafka'
import { kafka, redis, uniquePrefix } from '../../support/components/components.js'
import { SIGNING_KEY } from '../../support/sessions/deployment.js'
import { runCli, startCli, type CliProcess, type Ended } from '../cli-process.js'

/** A test's own topics and keys on the real Kafka and Redis, with the command line configured for them. */
export interface ControlDeployment {
  readonly log: EventLog
  readonly topics: Topics
  readonly partitions: number
  /** Runs `plimsoll args…` as the operator ada. */
  readonly plimsoll: (...args: readonly string[]) => Promise<Ended>
  /** Settings for monitors on the test's own store. */
  readonly monitorEnv: Readonly<Record<string, string>>
  /** Starts `plimsoll monitor`; resolves when it consumes. */
  readonly startMonitor: (env?: Readonly<Record<string, string>>) => Promise<CliProcess>
  /** Writes `document` as JSON into a new file. */
  readonly file: (document: unknown) => Promise<string>
}

const PARTITIONS = 3

export async function onControlDeployment(
  work: (deployment: ControlDeployment) => Promise<void>,
): Promise<void> {
  const prefix = uniquePrefix()
  const topics = topicsOf(`${prefix}plimsoll`)
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-control-'))
  const log = createKafkaLog({ brokers: kafka.brokers })
  const monitors: CliProcess[] = []
  const common = {
    KAFKA_BROKERS: kafka.brokers.join(','),
    PLIMSOLL_TOPIC_PREFIX: `${prefix}plimsoll`,
    PLIMSOLL_SIGNING_KEY: SIGNING_KEY,
  }
  const monitorEnv = {
    ...common,
    REDIS_URL: redis.url,
    PLIMSOLL_HTTP_PORT: '0',
  }
  let files = 0
  try {
    await log.createTopics(topicSpecs(topics, { partitions: PARTITIONS }))
    await work({
      log,
      topics,
      partitions: PARTITIONS,
      plimsoll: (...args) => runCli(args, { env: { ...common, USER: 'ada' } }),
      monitorEnv,
      startMonitor: async (own = monitorEnv) => {
        const monitor = startCli(['monitor'], { env: own })
        monitors.push(monitor)
        await monitor.printed(/"consuming"/)
        return monitor
      },
      file: async (document) => {
        const name = path.join(folder, `${files++}.json`)
        await writeFile(name, JSON.stringify(document))
        return name
      },
    })
  } finally {
    for (const monitor of monitors) monitor.signal('SIGKILL')
    await Promise.all(monitors.map(({ ended }) => ended))
    await log.close()
    await rm(folder, { recursive: true })
  }
}

const shipped = await defaultDocuments()

/** The shipped policy under another name, with `tools` blocked. */
export function policyThatBlocks(name: string, ...tools: string[]): Documents['policy'] {
  return { ...shipped.policy, name, specs: [{ id: 'not-these', tier: 'blocklist', tools }] }
}

/** The shipped bundle under another name: another document with the same verdicts. */
export const bundleNamed = (name: string): Documents['bundle'] => ({ ...shipped.bundle, name })
