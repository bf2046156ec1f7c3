import { PlimsollError } from '@plimsoll/contracts'
import { Redis } from 'ioredis'
import type { Logger } from '../telemetry/logger.js'
import { createBackoff } from '../timing.js'

export interface RedisLimits {
  readonly connectTimeoutMs: number
  /** How long a call waits for the connection, and then for an answer. */
  readonly answerTimeoutMs: number
  readonly reconnectMsMax: number
}

export interface Connection {
  readonly redis: Redis
  /** Resolves once commands can be sent; rejects with `store_unavailable` where that takes too long, or with `closed`. */
  whenReady(): Promise<void>
  close(): Promise<void>
}

/**
 * A connection that comes back by itself for ever. Nothing is queued while it is away and nothing is sent twice: a command whose
 * answer is lost fails, and its caller finds out what became of it by reading.
 */
export function connect(url: string, limits: RedisLimits, logger: Logger, onOutage: () => void): Connection {
  const backoff = createBackoff({ firstMs: 50, maxMs: limits.reconnectMsMax })
  const redis = new Redis(url, {
    connectTimeout: limits.connectTimeoutMs,
    // Ends the connection where an answer stays away; all that wait for one then fail.
    socketTimeout: limits.answerTimeoutMs,
    // A connection that is gone already would otherwise keep the process for 2 s more.
    disconnectTimeout: 300,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    // 0 makes ioredis fail the commands under way at once when the connection ends; otherwise they would never be answered.
    maxRetriesPerRequest: 0,
    retryStrategy: () => 10 + backoff.next(),
    // A replica that was the master: ask again who is.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  })
  const closing = new AbortController()
  const readiness = watchReadiness(redis, closing.signal)
  redis.on('ready', () => {
    backoff.reset()
    logger.info('connected to redis')
  })
  reportOutages(redis, logger, onOutage)
  return {
    redis,
    whenReady: () => readiness.within(limits.answerTimeoutMs),
    close: () => {
      closing.abort()
      return end(redis, limits.answerTimeoutMs)
    },
  }
}

/** One listener for all who wait, however many they are. */
function watchReadiness(redis: Redis, closing: AbortSignal) {
  const waiting = new Set<() => void>()
  const wakeAll = () => {
    for (const wake of waiting) wake()
  }
  redis.on('ready', wakeAll)
  closing.addEventListener('abort', wakeAll)
  const problem = (ms: number): PlimsollError | undefined => {
    if (closing.aborted) return new PlimsollError('closed', 'the store has been closed')
    if (redis.status === 'ready') return undefined
    return new PlimsollError('store_unavailable', `redis cannot be reached within ${ms} ms`)
  }
  return {
    within: async (ms: number): Promise<void> => {
      if (redis.status === 'ready' && !closing.aborted) return
      await new Promise<void>((resolve, reject) => {
        const settle = () => {
          clearTimeout(timer)
          waiting.delete(settle)
          const error = problem(ms)
          if (error) reject(error)
          else resolve()
        }
        const timer = setTimeout(settle, ms)
        waiting.add(settle)
        if (closing.aborted) settle()
      })
    },
  }
}

/** The first of a row of failures is news, the others are not. */
function reportOutages(redis: Redis, logger: Logger, onOutage: () => void): void {
  let isNews = true
  redis.on('ready', () => {
    isNews = true
  })
  redis.on('error', (error: Error) => {
    if (!isNews) return logger.debug('redis cannot be reached', { error })
    isNews = false
    onOutage()
    logger.warn('redis cannot be reached; trying on', { error })
  })
}

async function end(redis: Redis, graceMs: number): Promise<void> {
  // Between two attempts to connect there is nothing that could still end, and ioredis would tell of no end.
  if (redis.status !== 'ready') return redis.disconnect()
  const ended = new Promise<void>((resolve) => {
    redis.once('end', resolve)
  })
  // QUIT is answered after all that was sent before.
  const timer = setTimeout(() => redis.disconnect(), graceMs)
  redis.quit().catch(() => redis.disconnect())
  await ended
  clearTimeout(timer)
}
