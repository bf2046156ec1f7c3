import { decisionSchema, topicsOf, type Decision, type Event, type Topics } from '@plimsoll/contracts'
import { startMonitor, type Monitor, type MonitorOptions, type RuleDocuments } from '@plimsoll/monitor'
import { defaultDocuments, type Documents } from '@plimsoll/policy'
import {
  noMetrics,
  silentLogger,
  topicSpecs,
  type EventLog,
  type LogRecord,
  type OutgoingRecord,
  type SessionStore,
} from '@plimsoll/runtime'
import { createEmbeddedLog, createEmbeddedStore } from '@plimsoll/runtime/embedded'
import { createKafkaLog } from '@plimsoll/runtime/kafka'
import { createRedisStore } from '@plimsoll/runtime/redis'
import { kafka, redis, uniquePrefix, withoutPair } from '../components/components.js'
import { foldAlone } from './fold-alone.js'
import { SIGNING_KEY } from './signing-key.js'

export { foldAlone } from './fold-alone.js'

/** Long, since it only bounds a failure: a slow machine must not fail. */
const UNTIL_MS_MAX = 110_000

export { SIGNING_KEY } from './signing-key.js'

/** A log and a store under unique names, with every record of the topics kept. */
export interface Deployment {
  readonly log: EventLog
  readonly store: SessionStore
  readonly topics: Topics
  readonly prefix: string
  readonly documents: RuleDocuments
  readonly partitions: number
  /** Records seen so far, in order of arrival. */
  readonly seen: {
    readonly events: LogRecord[]
    readonly decisions: LogRecord[]
    readonly deadLetters: LogRecord[]
    readonly shadow: LogRecord[]
  }
  startMonitor(options?: Partial<MonitorOptions>): Monitor
  /** Closes the running monitors, so that another can start. */
  stopMonitors(): Promise<void>
  publish(events: readonly Event[]): Promise<void>
  publishRaw(key: string | null, value: string | Uint8Array | null): Promise<void>
  /** Resolves when there are `count` decisions, each equal to what the engine alone makes of the log's events; rejects if one is not. */
  untilDecided(count: number): Promise<void>
  /** Resolves when `isMet` holds of what was seen; rejects after `UNTIL_MS_MAX` with what is missing. */
  until(what: string, isMet: () => boolean): Promise<void>
  close(): Promise<void>
}

export interface DeploymentOptions {
  /** Documents that replace the shipped ones. */
  readonly documents?: Partial<Documents>
  readonly partitions?: number
  readonly redisUrl?: string
  readonly brokers?: readonly string[]
}

export type DeploymentKind = 'embedded' | 'real'

/** Both kinds, each with why it is skipped here, if it is. */
export const DEPLOYMENTS: readonly (readonly [DeploymentKind, string | false])[] = [
  ['embedded', false],
  ['real', withoutPair],
]

/** The environment that points `plimsoll …` at a real deployment, its monitors' included. */
export const settingsOf = ({ prefix }: Pick<Deployment, 'prefix'>) => ({
  KAFKA_BROKERS: kafka.brokers.join(','),
  REDIS_URL: redis.url,
  PLIMSOLL_TOPIC_PREFIX: `${prefix}plimsoll`,
  PLIMSOLL_HTTP_PORT: '0',
  PLIMSOLL_SIGNING_KEY: SIGNING_KEY,
})

/** The decisions seen, without duplicates. */
export const decisionsOf = ({ seen }: Pick<Deployment, 'seen'>): Decision[] =>
  [...byDecisionId(seen.decisions).values()].map((text) => decisionSchema.parse(JSON.parse(text)))

/**
 * The shipped documents, with a policy that does not ask at irreversible steps without a task: for tests of other features, whose
 * agents send mail without a task.
 */
export async function untaskedDocuments(): Promise<Documents> {
  const documents = await defaultDocuments()
  return { ...documents, policy: { ...documents.policy, irreversible: 'allow' } }
}

export async function deploy(kind: DeploymentKind, options: DeploymentOptions = {}): Promise<Deployment> {
  const prefix = uniquePrefix()
  const { partitions = 3 } = options
  const topics = topicsOf(`${prefix}plimsoll`)
  const log =
    kind === 'real' ? createKafkaLog({ brokers: options.brokers ?? kafka.brokers }) : createEmbeddedLog()
  const store =
    kind === 'real'
      ? createRedisStore({ url: options.redisUrl ?? redis.url, prefix: `${prefix}plimsoll` })
      : createEmbeddedStore()
  const documents: [Documents] = [{ ...(await defaultDocuments()), ...options.documents }]
  await log.createTopics(topicSpecs(topics, { partitions }))
  const watch = createWatch()
  await Promise.all([
    log.tail(topics.events, watch.into('events')),
    log.tail(topics.decisions, watch.into('decisions')),
    log.tail(topics.deadLetters, watch.into('deadLetters')),
    log.tail(topics.shadow, watch.into('shadow')),
  ])
  const monitors: Monitor[] = []
  const stopMonitors = async () =>
    void (await Promise.all(monitors.splice(0).map((monitor) => monitor.close())))
  let published = 0
  const produce = async (records: readonly OutgoingRecord[]) => {
    published += records.length
    await log.produce(topics.events, records)
  }
  return {
    log,
    store,
    topics,
    prefix,
    documents,
    partitions,
    seen: watch.seen,
    startMonitor(given = {}) {
      const common = {
        log,
        store,
        documents,
        topics,
        group: `${prefix}plimsoll-monitor`,
        signingKey: SIGNING_KEY,
      }
      const monitor = startMonitor({ ...common, metrics: noMetrics, logger: silentLogger, ...given })
      monitors.push(monitor)
      return monitor
    },
    stopMonitors,
    publish: (events) =>
      produce(events.map((event) => ({ key: event.sessionId, value: JSON.stringify(event) }))),
    publishRaw: (key, value) => produce([{ key, value }]),
    async untilDecided(count) {
      await watch.until(`${count} decisions`, () => byDecisionId(watch.seen.decisions).size === count)
      await watch.until('all events', () => watch.seen.events.length === published)
      assertSameTexts(
        byDecisionId(watch.seen.decisions),
        foldAlone({ documents, partitions, seen: watch.seen }).decisions,
      )
    },
    until: watch.until,
    async close() {
      await stopMonitors()
      await log.close()
      await store.close()
    },
  }
}

/** Decision texts by id. Throws if one id has two texts. */
export function byDecisionId(records: readonly LogRecord[]): Map<string, string> {
  const texts = new Map<string, string>()
  for (const { value } of records) {
    const text = String(value)
    const { id } = JSON.parse(text) as { id: string }
    const earlier = texts.get(id)
    if (earlier !== undefined && earlier !== text)
      throw new Error(`two texts of decision ${id}:\n${earlier}\n${text}`)
    texts.set(id, text)
  }
  return texts
}

/** Names the first few differing decisions: whole maps are too long to read. */
function assertSameTexts(actual: ReadonlyMap<string, string>, expected: ReadonlyMap<string, string>): void {
  const ids = new Set([...actual.keys(), ...expected.keys()])
  const differing = [...ids].filter((id) => actual.get(id) !== expected.get(id))
  if (differing.length === 0) return
  const shown = differing
    .slice(0, 3)
    .map((id) => `${id}\n  got      ${actual.get(id)}\n  expected ${expected.get(id)}`)
  throw new Error(`${differing.length} of ${ids.size} decisions differ:\n${shown.join('\n')}`)
}

function createWatch() {
  const seen = {
    events: [] as LogRecord[],
    decisions: [] as LogRecord[],
    deadLetters: [] as LogRecord[],
    shadow: [] as LogRecord[],
  }
  const waiting = new Set<() => void>()
  return {
    seen,
    into: (name: keyof typeof seen) => (record: LogRecord) => {
      seen[name].push(record)
      for (const check of waiting) check()
    },
    until: (what: string, isMet: () => boolean) =>
      new Promise<void>((resolve, reject) => {
        const end = () => {
          clearTimeout(timer)
          waiting.delete(check)
        }
        const check = () => {
          if (!isMet()) return
          end()
          resolve()
        }
        const timer = setTimeout(() => {
          end()
          const { events, decisions, deadLetters } = seen
          const counts = `${events.length} events, ${decisions.length} decisions, ${deadLetters.length} dead letters seen`
          reject(new Error(`waited ${UNTIL_MS_MAX} ms for ${what}; ${counts}`))
        }, UNTIL_MS_MAX)
        waiting.add(check)
        check()
      }),
  }
}
