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
 * Calls `onHeard` at each sign that the coordinator counts the member in, and has `consumer` look for its coordinator and join again where
 * there was none for `silenceMsMax`. `isIn` tells whether the last attempt to join has ended well.
 *
 * kafkajs looks for another coordinator only when the one it knows answers that it is none any more; one that has died it asks again until
 * its retries are used up, and the consumer that then takes its place would have to wait until the group has missed the old one. After an
 * attempt to join that has failed on the way it goes on as the member that it was: its heartbeats are then no sign of an assignment.
 *
 * What a listener throws goes to anyone who runs the fetch loop, and this error is one on which kafkajs joins again as the same member.
 */
export function watchCoordinator(
  consumer: Consumer,
  silenceMsMax: number,
  isIn: () => boolean,
  onReceived: () => void,
): void {
  let lastEventAt = Infinity
  const received = () => {
    if (!isIn()) return
    lastEventAt = performance.now()
    onReceived()
  }
  consumer.on(consumer.events.GROUP_JOIN, received)
  consumer.on(consumer.events.HEARTBEAT, received)
  consumer.on(consumer.events.FETCH_START, () => {
    if (performance.now() - lastEventAt < silenceMsMax) return
    lastEventAt = performance.now()
    throw Object.assign(new Error('the coordinator is silent'), { type: 'NOT_COORDINATOR_FOR_GROUP' })
  })
}

/** `log_unavailable` with `cause`, saying what was tried. A `PlimsollError` is passed on. */
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
  // Of the making of several topics each has a reason of its own.
  const parts = 'errors' in cause && Array.isArray(cause.errors) ? cause.errors.map(reasonOf) : []
  return [cause.message, ...parts].join('; ')
}

/** Kafka's name of what went wrong, such as `MESSAGE_TOO_LARGE`, also where kafkajs has wrapped it. */
export function typeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if ('type' in error && typeof error.type === 'string') return error.type
  return typeOf(error.cause)
}

/** Answers of the group's coordinator that tell that this member's assignment is over. */
const ASSIGNMENT_OVER = new Set([
  'REBALANCE_IN_PROGRESS',
  'ILLEGAL_GENERATION',
  'UNKNOWN_MEMBER_ID',
  'FENCED_INSTANCE_ID',
])

export const isAssignmentOver = (error: unknown): boolean => ASSIGNMENT_OVER.has(typeOf(error) ?? '')

/** What a member of a group does with its partitions. None of these may throw. */
export interface MemberHooks {
  /** The assignment is over: before each attempt to join, and when a run ends. */
  readonly onLost: () => void
  /** The partitions this member has from now on. What `position` is told here comes before the first fetch. */
  readonly onJoined: (partitions: readonly number[], position: Position) => void
  readonly onBatch: (payload: EachBatchPayload) => Promise<void>
  /**
   * All of a partition up to and with `offset` has been through `onBatch`, or was not for it: transactions' markers and what they undo,
   * of which `onBatch` is not told where there is nothing else.
   */
  readonly onPassed?: (partition: number, offset: bigint) => void
}

/** Where a member reads its partitions. */
export interface Position {
  readonly seek: (partition: number, offset: bigint) => void
  /** Fetches no more of the partition. */
  readonly hold: (partition: number) => void
}

export interface GroupTiming {
  readonly sessionTimeoutMs: number
  readonly rebalanceTimeoutMs: number
  readonly heartbeatMs: number
  /** After which the coordinator is looked for again. */
  readonly coordinatorSilenceMsMax: number
  /** How long a broker holds a fetch that finds nothing; bounds how late a paused partition is fetched again. */
  readonly fetchWaitMsMax: number
}

export interface GroupRunOptions {
  readonly client: Client
  readonly topic: string
  readonly group: string
  readonly timing: GroupTiming
  readonly hooks: MemberHooks
  /** Told at each sign that the coordinator counts this member in. */
  readonly onAlive: () => void
}

/** One life of a kafkajs consumer, from its connection to its first crash. It is never used again after that. */
export interface GroupRun {
  /** Resolves once it has joined; rejects with `log_unavailable` if it ends before. */
  readonly joined: Promise<void>
  /** Resolves with the reason when it has ended by itself. */
  readonly ended: Promise<Error>
  /** Leaves the group and disconnects, in a bounded time. */
  dispose(): Promise<void>
}

export const CONSUMER_REQUEST_TIMEOUT_MS = 10_000
/**
 * About half a minute: a member that finds its broker again meanwhile is still in its group, while a new one has to wait until the group
 * has missed the old one for a session timeout. What it does not mend is mended by a new run.
 */
export const CONSUMER_RETRY: RetryOptions = {
  retries: 20,
  initialRetryTime: 100,
  multiplier: 2,
  factor: 0.2,
  maxRetryTime: 2_000,
}

/** Partitions whose batches are handed out at a time. */
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
  // After the listener above, which it asks whether we are in.
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
    // Disposed of while it was joining: kafkajs joins all the same, and nobody else would have it leave.
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

/** What a run that was given up still does must not be taken for what its successor does. */
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
    // The restarts of kafkajs end where an error looks final to it; ours do not.
    retry: { ...CONSUMER_RETRY, restartOnFailure: async () => false },
  })
}

/**
 * Kafka checks of a commit only that it comes from the present generation of the group, and kafkajs sends the generation it has
 * joined last. So a batch of an earlier generation must be known as such before the new one is known: each attempt to join asks the
 * assigner for its protocol first, and nothing else tells of all of them.
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
