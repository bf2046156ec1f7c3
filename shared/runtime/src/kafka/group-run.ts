import { PlimsollError } from '@plimsoll/contracts'
import {
  type Consumer,
  type ConsumerRunConfig,
  type EachBatchPayload,
  type PartitionAssigner,
  type RetryOptions,
  PartitionAssigners,
} from 'kafkajs'
import { deferred, within } from '../timing.js'
import type { Client } from './connection.js'

/**
 * Calls `onAlive` at each sign that the coordinator counts the member as joined; after `silenceMsMax` without one, makes `consumer` look for
 * its coordinator and join again. `isIn`: whether the last attempt to join succeeded.
 *
 * kafkajs looks for another coordinator only when the known one answers that it no longer is. It asks a dead coordinator until its retries are
 * used up, and a new consumer would then have to wait until the group drops the old member. After a failed attempt to join it continues with
 * its old membership: its heartbeats are then no sign of an assignment.
 *
 * An error thrown by a listener reaches the fetch loop, and on this one kafkajs joins again as the same member.
 */
export function watchCoordinator(
  consumer: Consumer,
  silenceMsMax: number,
  isIn: () => boolean,
  onAlive: () => void,
): void {
  let lastEventAt = Infinity
  const received = () => {
    if (!isIn()) return
    lastEventAt = performance.now()
    onAlive()
  }
  consumer.on(consumer.events.GROUP_JOIN, received)
  consumer.on(consumer.events.HEARTBEAT, received)
  consumer.on(consumer.events.FETCH_START, () => {
    if (performance.now() - lastEventAt < silenceMsMax) return
    lastEventAt = performance.now()
    throw Object.assign(new Error('the coordinator is silent'), { type: 'NOT_COORDINATOR_FOR_GROUP' })
  })
}

/** `log_unavailable` for the failed action `what`. A `PlimsollError` is returned as it is. */
export function logUnavailable(what: string, cause: unknown): PlimsollError {
  if (cause instanceof PlimsollError) return cause
  const type = typeOf(cause)
  const reason = reasonOf(cause)
  return new PlimsollError('log_unavailable', `${what}: ${reason}`, {
    cause,
    ...(type && { details: { type } }),
  })
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  // The creation of several topics has a reason for each.
  const parts = 'errors' in cause && Array.isArray(cause.errors) ? cause.errors.map(reasonOf) : []
  return [cause.message, ...parts].join('; ')
}

/** Kafka's name of the error, for example `MESSAGE_TOO_LARGE`, also if kafkajs has wrapped it. */
export function typeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if ('type' in error && typeof error.type === 'string') return error.type
  return typeOf(error.cause)
}

/** Answers of the coordinator that end this member's assignment. */
const ASSIGNMENT_OVER = new Set([
  'REBALANCE_IN_PROGRESS',
  'ILLEGAL_GENERATION',
  'UNKNOWN_MEMBER_ID',
  'FENCED_INSTANCE_ID',
])

export const isAssignmentOver = (error: unknown): boolean => ASSIGNMENT_OVER.has(typeOf(error) ?? '')

/** Callbacks of a group member. They must not throw. */
export interface MemberHooks {
  /** The assignment has ended: called before each attempt to join, and when a run ends. */
  readonly onLost: () => void
  /** The new partitions of this member. Calls of `position` here take effect before the first fetch. */
  readonly onJoined: (partitions: readonly number[], position: Position) => void
  readonly onBatch: (payload: EachBatchPayload) => Promise<void>
  /**
   * Everything in a partition up to and including `offset` has been passed to `onBatch`, or is not passed: transaction markers and aborted
   * records, which come in no batch if there is nothing else.
   */
  readonly onPassed?: (partition: number, offset: bigint) => void
}

/** Moves where a member reads. */
export interface Position {
  readonly seek: (partition: number, offset: bigint) => void
  /** Stops fetching the partition. */
  readonly hold: (partition: number) => void
}

export interface GroupTiming {
  readonly sessionTimeoutMs: number
  readonly rebalanceTimeoutMs: number
  readonly heartbeatMs: number
  /** Silence after which the member looks for its coordinator again. */
  readonly coordinatorSilenceMsMax: number
  /** How long a broker holds an empty fetch; bounds the delay before a paused partition is fetched again. */
  readonly fetchWaitMsMax: number
}

export interface GroupRunOptions {
  readonly client: Client
  readonly topic: string
  readonly group: string
  readonly timing: GroupTiming
  readonly hooks: MemberHooks
  /** Called at each sign that the coordinator counts this member as joined. */
  readonly onAlive: () => void
}

/** One kafkajs consumer from its connection to its first crash; never reused. */
export interface GroupRun {
  /** Resolves once joined; rejects with `log_unavailable` if the run ends before. */
  readonly joined: Promise<void>
  /** Resolves with the reason when the run ends by itself. */
  readonly ended: Promise<Error>
  /** Leaves the group and disconnects, in a bounded time. */
  dispose(): Promise<void>
}

export const CONSUMER_REQUEST_TIMEOUT_MS = 10_000
/**
 * About half a minute: a member that finds its broker within it is still in its group, while a new member has to wait until the group drops
 * the old one. A new run handles longer outages.
 */
export const CONSUMER_RETRY: RetryOptions = {
  retries: 20,
  initialRetryTime: 100,
  multiplier: 2,
  factor: 0.2,
  maxRetryTime: 2_000,
}

/** Partitions whose batches are processed at a time. */
const CONCURRENT_PARTITIONS_MAX = 64
const DISPOSE_MS_MAX = 5_000

export function startGroupRun(options: GroupRunOptions): GroupRun {
  const { topic, onAlive } = options
  let isOver = false
  let isIn = false
  const hooks = untilOver(options.hooks, () => isOver)
  const onLost = () => {
    isIn = false
    hooks.onLost()
  }
  const consumer = createConsumer(options, onLost)
  const isJoined = deferred<void>()
  const hasEnded = deferred<Error>()
  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
    if (isOver) return
    isIn = true
    hooks.onJoined(payload.memberAssignment[topic] ?? [], {
      seek: (partition, offset) => consumer.seek({ topic, partition, offset: String(offset) }),
      hold: (partition) => consumer.pause([{ topic, partitions: [partition] }]),
    })
    isJoined.resolve()
  })
  if (options.hooks.onPassed)
    consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload: { partition, lastOffset } }) =>
      hooks.onPassed?.(partition, BigInt(lastOffset)),
    )
  // After the listener above, which sets `isIn`.
  watchCoordinator(consumer, options.timing.coordinatorSilenceMsMax, () => isIn && !isOver, onAlive)
  consumer.on(consumer.events.CRASH, ({ payload }) => hasEnded.resolve(payload.error))

  const disconnect = () => within(DISPOSE_MS_MAX, consumer.disconnect(), undefined).catch(() => {})
  const start = async () => {
    try {
      await consumer.connect()
      if (!isOver) await consumer.subscribe({ topic, fromBeginning: true })
      if (!isOver) await consumer.run(runConfig(hooks))
    } catch (error) {
      hasEnded.resolve(asError(error))
    }
    // Disposed while joining: kafkajs joins anyway, and only this makes it leave.
    if (isOver) await disconnect()
  }
  void start()
  const endedFirst = hasEnded.promise.then((error): never => {
    throw logUnavailable(`cannot join group \`${options.group}\``, error)
  })
  return {
    joined: Promise.race([isJoined.promise, endedFirst]),
    ended: hasEnded.promise,
    dispose: async () => {
      onLost()
      isOver = true
      options.client.retire()
      await disconnect()
    },
  }
}

/** Ignores callbacks of a run that was given up: its successor is running. */
function untilOver(hooks: MemberHooks, isOver: () => boolean): MemberHooks {
  return {
    onLost: () => {
      if (!isOver()) hooks.onLost()
    },
    onJoined: (partitions, position) => {
      if (!isOver()) hooks.onJoined(partitions, position)
    },
    onBatch: async (payload) => {
      if (!isOver()) await hooks.onBatch(payload)
    },
    onPassed: (partition, offset) => {
      if (!isOver()) hooks.onPassed?.(partition, offset)
    },
  }
}

function runConfig(hooks: MemberHooks): ConsumerRunConfig {
  return {
    autoCommit: false,
    eachBatchAutoResolve: false,
    partitionsConsumedConcurrently: CONCURRENT_PARTITIONS_MAX,
    eachBatch: hooks.onBatch,
  }
}

function createConsumer({ client, group, timing }: GroupRunOptions, onLost: () => void): Consumer {
  return client.kafka.consumer({
    groupId: group,
    sessionTimeout: timing.sessionTimeoutMs,
    rebalanceTimeout: timing.rebalanceTimeoutMs,
    heartbeatInterval: timing.heartbeatMs,
    maxWaitTimeInMs: timing.fetchWaitMsMax,
    allowAutoTopicCreation: false,
    partitionAssigners: [beforeJoin(onLost)],
    // kafkajs stops restarting after errors it considers final; the member restarts after any.
    retry: { ...CONSUMER_RETRY, restartOnFailure: async () => false },
  })
}

/**
 * Kafka checks only that a commit comes from the current generation of the group, and kafkajs sends the generation it joined last. So batches
 * of an earlier generation must be invalidated before a new one is joined. Every attempt to join first asks the assigner for its protocol; no
 * event reports all attempts.
 */
function beforeJoin(onJoining: () => void): PartitionAssigner {
  return (config) => {
    const assigner = PartitionAssigners.roundRobin(config)
    return {
      ...assigner,
      protocol: (subscription) => {
        onJoining()
        return assigner.protocol(subscription)
      },
    }
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))
