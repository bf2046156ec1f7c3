import { PlimsollError } from '@plimsoll/contracts'
import { Redis } from 'ioredis'
import { type Logger, silentLogger } from '../telemetry/logger.js'
import { type Metrics, noMetrics } from '../telemetry/metrics.js'
import { createBackoff, deferred, within } from '../timing.js'

export interface RedisStoreOptions {
  /** `redis://` or `rediss://`, with user, password and database if needed. */
  readonly url: string
  /** Prefix of all keys; `plimsoll` by default. */
  readonly prefix?: string
  readonly logger?: Logger
  /** Each `Metrics` can serve one store. */
  readonly metrics?: Metrics
  readonly limits?: Partial<RedisLimits>
}

export interface RedisLimits {
  readonly connectTimeoutMs: number
  /** How long a call waits for the connection, and then for an answer. */
  readonly answerTimeoutMs: number
  readonly reconnectMsMax: number
}

const REDIS_LIMITS: RedisLimits = { connectTimeoutMs: 3_000, answerTimeoutMs: 3_000, reconnectMsMax: 2_000 }

export interface Connection {
  readonly redis: Redis
  /** Runs `command` once connected. Rejects with `store_unavailable` if that takes too long or the command fails, or with `closed`. */
  ask<T>(command: (redis: Redis) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/**
 * A connection that reconnects forever. While it is away nothing is queued, and nothing is sent twice: a command whose answer is lost
 * fails, and its caller reads to find out whether it took effect.
 */
export function connect(options: RedisStoreOptions): Connection {
  const { url, logger = silentLogger, metrics = noMetrics } = options
  const limits = { ...REDIS_LIMITS, ...options.limits }
  const outages = metrics.counter({
    name: 'store_outages_total',
    help: 'Times the store could not be reached.',
  })
  const backoff = createBackoff({ firstMs: 50, maxMs: limits.reconnectMsMax })
  const redis = new Redis(url, {
    connectTimeout: limits.connectTimeoutMs,
    // Closes the connection when an answer does not come; all pending commands then fail.
    socketTimeout: limits.answerTimeoutMs,
    // A connection that is already gone would otherwise keep the process alive for 2 s more.
    disconnectTimeout: 300,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    // With 0, ioredis fails pending commands as soon as the connection closes. Otherwise they would never settle.
    maxRetriesPerRequest: 0,
    retryStrategy: () => 10 + backoff.next(),
    // The server has become a replica: reconnect to find the new primary.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  })
  let woken = deferred<void>()
  let closed: Promise<void> | undefined
  redis.on('ready', () => {
    backoff.reset()
    logger.info('connected to redis')
    woken.resolve()
    woken = deferred()
  })
  reportOutages(redis, logger, () => outages.inc({}))
  const whenReady = async () => {
    const ms = limits.answerTimeoutMs
    if (!closed && redis.status !== 'ready') await within(ms, woken.promise, undefined)
    if (closed) throw new PlimsollError('closed', 'the store has been closed')
    if (redis.status !== 'ready')
      throw new PlimsollError('store_unavailable', `redis cannot be reached within ${ms} ms`)
  }
  return {
    redis,
    ask: async (command) => {
      await whenReady()
      try {
        return await command(redis)
      } catch (error) {
        throw unavailable(error instanceof Error ? error : new Error(String(error)))
      }
    },
    close: () => {
      closed ??= end(redis, limits.answerTimeoutMs)
      woken.resolve()
      return closed
    },
  }
}

/** The error of a call that Redis refused or did not answer. */
export function unavailable(cause: Error): PlimsollError {
  // Not retryable: it would block every caller forever.
  if (/^(CROSSSLOT|MOVED)\b/.test(cause.message))
    return new PlimsollError('config_invalid', 'redis is a cluster: give the address of a single Redis', {
      cause,
    })
  // The message of ioredis names its own option, which is no setting of an operator.
  const why = cause.name === 'MaxRetriesPerRequestError' ? 'the connection was lost' : cause.message
  return new PlimsollError('store_unavailable', `redis did not answer: ${why}`, { cause })
}

/** Reports the first failure of an outage; the following ones go to the debug level. */
function reportOutages(redis: Redis, logger: Logger, onOutage: () => void): void {
  let isFirst = true
  redis.on('ready', () => {
    isFirst = true
  })
  redis.on('error', (error: Error) => {
    if (!isFirst) return logger.debug('redis cannot be reached', { error })
    isFirst = false
    onOutage()
    logger.warn('redis cannot be reached; retrying', { error })
  })
}

async function end(redis: Redis, graceMs: number): Promise<void> {
  // Between two connection attempts ioredis would emit no `end`.
  if (redis.status !== 'ready') return redis.disconnect()
  const ended = new Promise<void>((resolve) => {
    redis.once('end', resolve)
  })
  // QUIT is answered after all earlier commands.
  const timer = setTimeout(() => redis.disconnect(), graceMs)
  redis.quit().catch(() => redis.disconnect())
  await ended
  clearTimeout(timer)
}
