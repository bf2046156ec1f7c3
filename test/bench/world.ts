import { randomBytes } from 'node:crypto'
import { topicsOf, type Event, type Topics } from '@plimsoll/contracts'
import { startMonitor, type Arrow, type Monitor, type MonitorOptions } from '@plimsoll/monitor'
import { defaultDocuments, type Documents } from '@plimsoll/policy'
import { noMetrics, silentLogger, topicSpecs, type EventLog, type SessionStore } from '@plimsoll/runtime'
import { createKafkaLog } from '@plimsoll/runtime/kafka'
import { createRedisStore } from '@plimsoll/runtime/redis'
import { obtainPair, type Pair } from '../support/components/pair.js'

/** A real Kafka and a real Redis with topics of their own for one benchmark. */
export interface BenchDeployment {
  readonly brokers: readonly string[]
  readonly log: EventLog
  readonly store: SessionStore
  readonly topics: Topics
  readonly prefix: string
  /** Settings of a monitor process of this world. */
  readonly env: Readonly<Record<string, string>>
  publish(events: readonly Event[]): Promise<void>
  startMonitor(onArrow?: (arrow: Arrow) => void, more?: Partial<MonitorOptions>): Promise<Monitor>
}

export const PARTITIONS = 4

/** Of monitors and of those who send them control changes. */
export const SIGNING_KEY = 'a key for benchmarks only'

/** Runs `bench` on the pair that the environment names or on a new one, and releases everything. */
export async function withBenchDeployment<T>(bench: (deployment: BenchDeployment) => Promise<T>): Promise<T> {
  const pair = await obtainPair(process.env)
  try {
    return await withTopics(pair, bench)
  } finally {
    await pair.stop()
  }
}

async function withTopics<T>(pair: Pair, bench: (deployment: BenchDeployment) => Promise<T>): Promise<T> {
  const { brokers, redisUrl } = pair
  if (!brokers || !redisUrl)
    throw new Error(`the benchmark needs Kafka and Redis: ${pair.missing.join('; ')}`)
  const prefix = `bench${randomBytes(4).toString('hex')}-`
  const topics = topicsOf(`${prefix}plimsoll`)
  const log = createKafkaLog({ brokers })
  const store = createRedisStore({ url: redisUrl, prefix: `${prefix}plimsoll` })
  const documents: [Documents] = [await defaultDocuments()]
  const monitors: Monitor[] = []
  const specs = topicSpecs(topics, { partitions: PARTITIONS })
  await log.createTopics([...specs, { topic: `${prefix}echo`, partitions: PARTITIONS }])
  const startMonitorHere: BenchDeployment['startMonitor'] = async (onArrow = () => {}, more = {}) => {
    const common = {
      log,
      store,
      documents,
      topics,
      group: `${prefix}plimsoll-monitor`,
      metrics: noMetrics,
      logger: silentLogger,
    }
    const monitor = startMonitor({ ...common, ...more, onArrow })
    monitors.push(monitor)
    await monitor.started
    return monitor
  }
  try {
    return await bench({
      brokers,
      log,
      store,
      topics,
      prefix,
      env: {
        KAFKA_BROKERS: brokers.join(','),
        REDIS_URL: redisUrl,
        PLIMSOLL_TOPIC_PREFIX: `${prefix}plimsoll`,
        PLIMSOLL_HTTP_PORT: '0',
        PLIMSOLL_SIGNING_KEY: SIGNING_KEY,
      },
      publish: (events) =>
        log.produce(
          topics.events,
          events.map((event) => ({ key: event.sessionId, value: JSON.stringify(event) })),
        ),
      startMonitor: startMonitorHere,
    })
  } finally {
    await Promise.all(monitors.map((monitor) => monitor.close()))
    await log.close()
    await store.close()
  }
}
