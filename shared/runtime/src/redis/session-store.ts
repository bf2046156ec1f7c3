import { PlimsollError } from '@plimsoll/contracts'
import type { ChainableCommander } from 'ioredis'
import { silentLogger, type Logger } from '../logger.js'
import { noMetrics, type Metrics } from '../metrics.js'
import type { RecordWrite, SessionStore } from '../session-store.js'
import { connect, type RedisLimits } from './connection.js'
import { decodeRecord, encodeRecord } from './record.js'
import { defineScripts } from './scripts.js'

export interface RedisStoreOptions {
  /** `redis://` or `rediss://`, with user, password and database where they are needed. */
  readonly url: string
  /** Beginning of all keys; `plimsoll` by default. */
  readonly prefix?: string
  readonly logger?: Logger
  /** Of one `Metrics` only one store can count. */
  readonly metrics?: Metrics
  readonly limits?: Partial<RedisLimits>
}

export const REDIS_LIMITS: RedisLimits = {
  connectTimeoutMs: 3_000,
  answerTimeoutMs: 3_000,
  reconnectMsMax: 2_000,
}

/**
 * A `SessionStore` in Redis 7 or later. Connects in the background and comes back by itself, for ever; meanwhile calls reject with
 * `store_unavailable` after `answerTimeoutMs`. A call that rejects may have done part of its work, each write wholly or not at all.
 */
export function createRedisStore(options: RedisStoreOptions): SessionStore {
  const { url, prefix = 'plimsoll', logger = silentLogger, metrics = noMetrics } = options
  const outages = metrics.counter({
    name: 'store_outages_total',
    help: 'Times the store could not be reached.',
  })
  const connection = connect(url, { ...REDIS_LIMITS, ...options.limits }, logger, () => outages.inc({}))
  const { redis } = connection
  defineScripts(redis)
  // The braces have Redis Cluster place all keys of a session together.
  const keyOf = (id: string) => `${prefix}:{${id}}`
  const metaKeyOf = (name: string) => `${prefix}:meta:${name}`
  let closed: Promise<void> | undefined

  /** Sends what `fill` puts into one pipeline and gives the answers in order. */
  const roundTrip = async (fill: (pipeline: ChainableCommander) => void): Promise<readonly unknown[]> => {
    if (closed) throw new PlimsollError('closed', 'the store has been closed')
    const pipeline = redis.pipeline()
    fill(pipeline)
    if (pipeline.length === 0) return []
    await connection.whenReady()
    const answers = (await pipeline.exec()) ?? []
    return answers.map(([error, answer]) => {
      if (error) throw unavailable(error)
      return answer
    })
  }

  return {
    load: async (ids) => {
      const keys = ids.map(keyOf)
      const answers = await roundTrip((pipeline) => {
        for (const chunk of chunksOf(keys)) pipeline.mgetBuffer(chunk)
      })
      const values = answers.flat()
      return keys.map((_, i) => {
        const stored = values[i]
        return Buffer.isBuffer(stored) ? decodeRecord(stored) : undefined
      })
    },
    compareAndSet: async (writes) => {
      const answers = await roundTrip((pipeline) => {
        for (const chunk of chunksOf(writes))
          pipeline.plimsollSet(
            chunk.length,
            ...chunk.map(({ id }) => keyOf(id)),
            ...chunk.flatMap(setArguments),
          )
      })
      return answers.flat().map((answer) => answer === 1)
    },
    trim: async (records) => {
      await roundTrip((pipeline) => {
        for (const chunk of chunksOf(records))
          pipeline.plimsollTrim(
            chunk.length,
            ...chunk.map(({ id }) => keyOf(id)),
            ...chunk.map(({ revision }) => String(revision)),
          )
      })
    },
    readMeta: async (name) => {
      const [fields] = await roundTrip((pipeline) => pipeline.hgetall(metaKeyOf(name)))
      return { ...(fields as Record<string, string>) }
    },
    writeMeta: async (name, fields) => {
      if (Object.keys(fields).length === 0) return
      await roundTrip((pipeline) => pipeline.hset(metaKeyOf(name), { ...fields }))
    },
    ping: async () => {
      await roundTrip((pipeline) => pipeline.ping())
    },
    close: () => (closed ??= connection.close()),
  }
}

/** Keys a command takes: many, for a command costs more than a key; not all, for Redis does nothing else meanwhile. */
const KEYS_PER_COMMAND_MAX = 128

function chunksOf<T>(items: readonly T[]): T[][] {
  const chunks: T[][] = []
  for (let i = 0; i < items.length; i += KEYS_PER_COMMAND_MAX)
    chunks.push(items.slice(i, i + KEYS_PER_COMMAND_MAX))
  return chunks
}

function setArguments({ expected, body, outbox, ttlMs }: RecordWrite): string[] {
  return [String(expected), encodeRecord(expected + 1, body, outbox), String(Math.max(1, Math.ceil(ttlMs)))]
}

function unavailable(cause: Error): PlimsollError {
  // Trying again would not help: it would hold up whoever waits for the store for ever.
  if (/^(CROSSSLOT|MOVED)\b/.test(cause.message))
    return new PlimsollError('config_invalid', 'redis is a cluster: give the address of a single Redis', {
      cause,
    })
  // The message of ioredis for its own `maxRetriesPerRequest` speaks of a setting that is none of the operator's.
  const why = cause.name === 'MaxRetriesPerRequestError' ? 'the connection was lost' : cause.message
  return new PlimsollError('store_unavailable', `redis did not answer: ${why}`, { cause })
}
