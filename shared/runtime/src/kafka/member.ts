import { PlimsollError } from '@plimsoll/contracts'
import { type Metrics, counter, createInstruments, gauge } from '../telemetry/metrics.js'
import type { Logger } from '../telemetry/logger.js'
import { createBackoff, pause } from '../timing.js'
import type { Client } from './connection.js'
import { type GroupRun, type GroupTiming, type MemberHooks, startGroupRun } from './group-run.js'

export interface MemberOptions {
  readonly newClient: () => Client
  readonly topic: string
  /** Called at the start of each run. */
  readonly group: () => string
  readonly sessionTimeoutMs: number
  readonly hooks: MemberHooks
  readonly logger: Logger
  readonly instruments: KafkaInstruments
}

/**
 * A group member that lives until it is closed: joining → joined → (run ends) → waiting → joining → …. A run that fails to start, crashes or is
 * silent for too long is replaced by another.
 */
export interface Member {
  /** Resolves once it has joined for the first time; rejects with `closed` if closed before. */
  readonly joined: Promise<void>
  isRunning(): boolean
  /** Leaves the group. Idempotent. */
  close(): Promise<void>
}

const REJOIN_MS_MAX = 5_000
const FETCH_WAIT_MS_MAX = 200
/** Silence allowed beyond the rebalance timeout, within which other members may still join. */
const SILENCE_MARGIN_MS = 15_000
const WATCH_EVERY_MS = 1_000
const SETTLED_MS = 60_000

export function startMember(options: MemberOptions): Member {
  const { logger, sessionTimeoutMs } = options
  const timing = timingOf(sessionTimeoutMs)
  const closing = new AbortController()
  const backoff = createBackoff({ maxMs: REJOIN_MS_MAX })
  let isIn = false
  let aliveAt = 0

  const onAlive = () => {
    aliveAt = performance.now()
  }
  const hooks: MemberHooks = {
    ...options.hooks,
    onLost: () => {
      isIn = false
      options.hooks.onLost()
    },
    onJoined: (partitions, position) => {
      isIn = true
      options.hooks.onJoined(partitions, position)
    },
  }
  const begin = (): GroupRun => {
    onAlive()
    const { topic } = options
    return startGroupRun({
      client: options.newClient(),
      topic,
      group: options.group(),
      timing,
      hooks,
      onAlive,
    })
  }
  const live = async (onFirstJoin: () => void) => {
    while (!closing.signal.aborted) {
      const begun = performance.now()
      const run = begin()
      run.joined.then(onFirstJoin, () => {})
      const silenceMsMax = timing.rebalanceTimeoutMs + SILENCE_MARGIN_MS
      const reason = await Promise.race([run.ended, untilSilent(() => aliveAt, silenceMsMax, closing.signal)])
      await run.dispose()
      if (closing.signal.aborted) return
      // A run that crashes soon after joining is no success.
      if (performance.now() - begun > SETTLED_MS) backoff.reset()
      options.instruments.rejoins.inc({ topic: options.topic })
      logger.warn('left the group; joining again', { topic: options.topic, error: reason })
      await pause(backoff.next(), closing.signal)
    }
  }

  let living: Promise<void> = Promise.resolve()
  const joined = new Promise<void>((resolve, reject) => {
    living = live(resolve)
    closing.signal.addEventListener('abort', () =>
      reject(new PlimsollError('closed', 'closed before the group was joined')),
    )
  })
  joined.catch(() => {})
  return {
    joined,
    isRunning: () => isIn && performance.now() - aliveAt < sessionTimeoutMs / 2,
    close: () => {
      closing.abort()
      return living
    },
  }
}

/** Heartbeats are frequent, because their answers report changes of the members. */
function timingOf(sessionTimeoutMs: number): GroupTiming {
  return {
    sessionTimeoutMs,
    rebalanceTimeoutMs: Math.max(3 * sessionTimeoutMs, 5_000),
    heartbeatMs: Math.max(Math.floor(sessionTimeoutMs / 10), 100),
    coordinatorSilenceMsMax: Math.max(Math.floor(sessionTimeoutMs / 2), 2_000),
    fetchWaitMsMax: Math.min(FETCH_WAIT_MS_MAX, Math.floor(sessionTimeoutMs / 10)),
  }
}

/** Resolves with an error after `msMax` of silence, or undefined when `signal` is aborted. */
async function untilSilent(
  aliveAt: () => number,
  msMax: number,
  signal: AbortSignal,
): Promise<Error | undefined> {
  while (!signal.aborted) {
    if (performance.now() - aliveAt() > msMax) return new Error(`no event of the group for ${msMax} ms`)
    await pause(WATCH_EVERY_MS, signal)
  }
  return undefined
}

/** What the adapter measures of itself. */
export const createKafkaInstruments = (metrics: Metrics) =>
  createInstruments(metrics, {
    queueBytes: gauge('log_write_queue_bytes', 'Bytes that wait to be written.', 'topic'),
    writeFailures: counter('log_write_failures_total', 'Writes given up.', 'topic'),
    rejoins: counter('log_rejoins_total', 'Times a consumer group was left unintentionally.', 'topic'),
  })

export type KafkaInstruments = ReturnType<typeof createKafkaInstruments>
