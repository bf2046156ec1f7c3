import { type Admin, type ConfigResourceTypes, type RetryOptions, AssignerProtocol } from 'kafkajs'
import {
  type GroupInfo,
  type LogAdmin,
  type PartitionInfo,
  type TopicCopies,
  type TopicSpec,
  APPEND_TIME,
  TIMESTAMP_TYPE,
} from '../ports/event-log.js'
import { pause, within } from '../timing.js'
import type { Client } from './connection.js'
import { logUnavailable, typeOf } from './group-run.js'

export const ADMIN_REQUEST_TIMEOUT_MS = 5_000
export const ADMIN_RETRY: RetryOptions = {
  retries: 3,
  initialRetryTime: 100,
  multiplier: 2,
  factor: 0.2,
  maxRetryTime: 1_000,
}

const CALL_MS_MAX = 20_000
const PING_MS_MAX = 3_000
const DISCONNECT_MS_MAX = 2_000

const LATE = Symbol('late')

/** The admin side of the log. Each call has its own connection: kafkajs keeps polling every topic it was once asked about. */
export function createTopicAdmin(newClient: () => Client): LogAdmin {
  const ask = <T>(what: string, question: (admin: Admin) => Promise<T>, msMax = CALL_MS_MAX) =>
    withAdmin(newClient(), what, question, msMax)
  return {
    createTopics: async (topics) => {
      if (topics.length > 0) await ask('cannot create topics', (admin) => createTopics(admin, topics))
    },
    describe: (topic) => ask(`cannot describe topic \`${topic}\``, (admin) => describe(admin, topic)),
    offsetAt: (topic, partition, timeMs) =>
      ask(`cannot search topic \`${topic}\``, (admin) => offsetAt(admin, topic, partition, timeMs)),
    settings: (topic) =>
      ask(`cannot read the settings of topic \`${topic}\``, (admin) => settingsOf(admin, topic)),
    copies: (topic) => ask(`cannot describe topic \`${topic}\``, (admin) => copiesOf(admin, topic)),
    group: (group, topic) =>
      ask(`cannot describe group \`${group}\``, (admin) => untilLed(() => groupOf(admin, group, topic))),
    ping: async () =>
      void (await ask('kafka does not answer', (admin) => admin.describeCluster(), PING_MS_MAX)),
  }
}

async function withAdmin<T>(
  client: Client,
  what: string,
  question: (admin: Admin) => Promise<T>,
  msMax: number,
): Promise<T> {
  const admin = client.kafka.admin()
  const asked = admin.connect().then(() => question(admin))
  try {
    const answer = await within(msMax, asked, LATE)
    if (answer === LATE) throw new Error(`no answer within ${msMax} ms`)
    return answer
  } catch (error) {
    throw logUnavailable(what, error)
  } finally {
    client.retire()
    await within(DISCONNECT_MS_MAX, admin.disconnect(), undefined).catch(() => {})
  }
}

async function createTopics(admin: Admin, topics: readonly TopicSpec[]): Promise<void> {
  await admin.createTopics({
    // kafkajs would fail on a broker that does not know the new topic yet.
    waitForLeaders: false,
    topics: topics.map(({ topic, partitions, replicas, config }) => ({
      topic,
      numPartitions: partitions,
      ...(replicas !== undefined && { replicationFactor: replicas }),
      configEntries: Object.entries({ [TIMESTAMP_TYPE]: APPEND_TIME, ...config }).map(([name, value]) => ({
        name,
        value,
      })),
    })),
  })
  for (const { topic } of topics) await untilLed(() => admin.fetchTopicOffsets(topic))
}

/** Retries while brokers have not yet learned that they lead a new topic, or coordinate a group. */
async function untilLed<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask()
    } catch (error) {
      if (attempt === LED_ATTEMPTS_MAX || !NOT_LED.has(typeOf(error) ?? '')) throw error
      await pause(LED_EVERY_MS)
    }
  }
}

const LED_ATTEMPTS_MAX = 100
const LED_EVERY_MS = 50
const NOT_LED = new Set([
  'UNKNOWN_TOPIC_OR_PARTITION',
  'LEADER_NOT_AVAILABLE',
  'NOT_LEADER_FOR_PARTITION',
  'GROUP_LOAD_IN_PROGRESS',
  'GROUP_COORDINATOR_NOT_AVAILABLE',
  'NOT_COORDINATOR_FOR_GROUP',
])

async function exists(admin: Admin, topic: string): Promise<boolean> {
  try {
    await admin.fetchTopicMetadata({ topics: [topic] })
    return true
  } catch (error) {
    if (typeOf(error) === 'UNKNOWN_TOPIC_OR_PARTITION') return false
    throw error
  }
}

async function describe(admin: Admin, topic: string): Promise<readonly PartitionInfo[] | undefined> {
  if (!(await exists(admin, topic))) return undefined
  const offsets = await untilLed(() => admin.fetchTopicOffsets(topic))
  return offsets
    .map(({ partition, low, high }) => ({ partition, firstOffset: BigInt(low), nextOffset: BigInt(high) }))
    .sort((a, b) => a.partition - b.partition)
}

/** Answers of a broker that may not show the settings, or without the topic. */
const UNAVAILABLE_SETTINGS = new Set([
  'TOPIC_AUTHORIZATION_FAILED',
  'CLUSTER_AUTHORIZATION_FAILED',
  'UNKNOWN_TOPIC_OR_PARTITION',
])
/** Its number in the protocol; the enumeration of kafkajs cannot be imported from ESM. */
const TOPIC_RESOURCE: ConfigResourceTypes.TOPIC = 2

async function settingsOf(admin: Admin, topic: string): Promise<Record<string, string> | undefined> {
  const resources = [{ type: TOPIC_RESOURCE, name: topic }]
  const { resources: described } = await admin
    .describeConfigs({ resources, includeSynonyms: false })
    .catch((error: unknown) => {
      if (UNAVAILABLE_SETTINGS.has(typeOf(error) ?? '')) return { resources: [] }
      throw error
    })
  const [answer] = described
  return (
    answer && Object.fromEntries(answer.configEntries.map((entry) => [entry.configName, entry.configValue]))
  )
}

async function groupOf(admin: Admin, group: string, topic: string): Promise<GroupInfo> {
  const { groups } = await admin.describeGroups([group])
  const everyone = groups.flatMap(({ members }) => members)
  const members = everyone.length
  const owned = new Set(everyone.flatMap(({ memberAssignment }) => assignedOf(memberAssignment, topic)))
  if (!(await exists(admin, topic))) return { members, owned, offsets: new Map() }
  const answers = await admin.fetchOffsets({ groupId: group, topics: [topic] })
  const committed = answers
    .flatMap(({ partitions }) => partitions)
    .map(({ partition, offset }) => [partition, BigInt(offset)] as const)
    // −1: nothing was committed.
    .filter(([, offset]) => offset >= 0n)
  return { members, owned, offsets: new Map(committed) }
}

/** A member without its assignment yet has an empty one. */
function assignedOf(assignment: Buffer, topic: string): readonly number[] {
  return AssignerProtocol.MemberAssignment.decode(assignment)?.assignment[topic] ?? []
}

async function copiesOf(admin: Admin, topic: string): Promise<TopicCopies | undefined> {
  if (!(await exists(admin, topic))) return undefined
  const [{ brokers }, { topics }] = await Promise.all([
    admin.describeCluster(),
    admin.fetchTopicMetadata({ topics: [topic] }),
  ])
  const partitions = topics.flatMap(({ partitions }) => partitions)
  return {
    brokers: brokers.length,
    replicas: Math.min(...partitions.map(({ replicas }) => replicas.length)),
    inSync: Math.min(...partitions.map(({ isr }) => isr.length)),
  }
}

async function offsetAt(
  admin: Admin,
  topic: string,
  partition: number,
  timeMs: number,
): Promise<bigint | undefined> {
  const partitions = await describe(admin, topic)
  const info = partitions?.find((each) => each.partition === partition)
  if (!info) return undefined
  const answers = await untilLed(() => admin.fetchTopicOffsetsByTimestamp(topic, timeMs))
  const answer = answers.find((each) => each.partition === partition)
  // For `none`, kafkajs returns the next offset.
  return answer && BigInt(answer.offset) < info.nextOffset ? BigInt(answer.offset) : undefined
}
