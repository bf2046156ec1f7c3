import { PlimsollError } from '@plimsoll/contracts'

/**
 * The port to the event log. Adapters: `kafka/` (kafkajs) and `embedded/` (one process). Every adapter passes
 * test/contract/event-log/event-log.contract.ts. Its admin side is `LogAdmin`.
 */
export interface EventLog extends LogAdmin {
  /**
   * Writes `records` in order, idempotently; resolves once all in-sync replicas have them. Records of one key go to one partition and keep
   * their order, over calls too. Rejects with `log_unavailable` after a bounded number of retries: some of the records may then be written,
   * and waiting calls for the same topic are rejected too, so that nothing overtakes a retry of the caller. Rejects with `queue_full` if too
   * much waits already.
   */
  produce(topic: string, records: readonly OutgoingRecord[]): Promise<void>

  /**
   * Consumes `topic` as a member of `group`, from the group's committed offset, else from the beginning. `onBatch` gets one batch of a
   * partition at a time; other partitions may run concurrently. If `onBatch` rejects, or resolves without having committed all of the
   * batch, the records after the last commit are delivered again after a backoff, forever. Resolves once the group is joined, however long
   * the log or the topic is missing; rejects with `closed` if closed or aborted before. While the log is away it reconnects forever.
   */
  consume(options: ConsumeOptions): Promise<Consumption>

  /**
   * Reads every record appended to `topic` from this call on, in all partitions, without sharing them with others; with `from: 'beginning'`
   * also earlier records. Resolves once no later record can be missed. Commits nothing; after a lost connection it continues at the same
   * place. If `onRecord` throws, the error is logged and the record skipped. Waits and ends as `consume` does.
   */
  tail(topic: string, onRecord: (record: LogRecord) => void, options?: TailOptions): Promise<Consumption>

  /**
   * Reads the records that are in `topic` at the call: each range in offset order, partitions in any order; by default all of every
   * partition. Resolves once `onRecord` got them all. Records deleted by retention, and offsets without a record, are skipped: the caller
   * can see that by the offsets. After a lost connection it continues at the same place and passes no record twice. If `onRecord` returns a
   * promise, the next record waits for it. Rejects with what `onRecord` throws; with `log_unavailable` if a topic or partition does not
   * exist, or nothing arrived for a minute; with `closed` if the log is closed or `signal` aborted before the end. Memory is bounded by one
   * fetch.
   */
  read(topic: string, onRecord: (record: LogRecord) => unknown, options?: ReadOptions): Promise<void>

  /** Closes consumptions, flushes and disconnects; later calls reject with `closed`. Idempotent. */
  close(): Promise<void>
}

/** Questions about topics and groups. */
export interface LogAdmin {
  /** Creates missing topics, with append-time timestamps. Existing topics are not changed. */
  createTopics(topics: readonly TopicSpec[]): Promise<void>

  /** Partitions of `topic` with their first and next offsets; undefined if it does not exist. */
  describe(topic: string): Promise<readonly PartitionInfo[] | undefined>

  /**
   * The first offset of `partition` whose append time is `timeMs` or later; undefined if there is none.
   */
  offsetAt(topic: string, partition: number, timeMs: number): Promise<bigint | undefined>

  /**
   * Settings of `topic` by their names in Kafka, defaults included; undefined if it does not exist or the log does not show them.
   */
  settings(topic: string): Promise<Readonly<Record<string, string>> | undefined>

  /** How many replicas `topic` has; undefined if it does not exist. */
  copies(topic: string): Promise<TopicCopies | undefined>

  /** Members of `group` and its offsets in `topic`. An unknown group has neither. */
  group(group: string, topic: string): Promise<GroupInfo>

  /** Rejects with `log_unavailable` unless the log answers now. */
  ping(): Promise<void>
}

export interface OutgoingRecord {
  readonly key: string | null
  readonly value: string | Uint8Array | null
  readonly headers?: Readonly<Record<string, string>>
}

/** One record of the log. `timeMs` is its append time. */
export interface LogRecord {
  readonly topic: string
  readonly partition: number
  readonly offset: bigint
  readonly key: string | null
  readonly value: Buffer | null
  readonly headers: Readonly<Record<string, string>>
  readonly timeMs: number
}

export interface Batch {
  readonly topic: string
  readonly partition: number
  /** In offset order, never empty. */
  readonly records: readonly LogRecord[]
  /** Next offset of the partition at the time of the fetch. */
  readonly endOffset: bigint
  /**
   * Commits everything up to and including `offset`, which is in the batch. Rejects with `contended` if another member owns the partition:
   * it reads from the last commit. Rejects with `log_unavailable` if the log does not answer: the commit may have succeeded, so the work it
   * covers must be done before. After a rejection every later commit of the batch rejects too. One attempt, so that the answer belongs to
   * the assignment it was made under.
   */
  commit(offset: bigint): Promise<void>
  /** False once the consumption is closing or the partition was reassigned: stop at the next commit. */
  isOwned(): boolean
}

export interface ConsumeOptions {
  readonly topic: string
  readonly group: string
  readonly onBatch: (batch: Batch) => Promise<void>
  /** Called with the error of `onBatch`, before the backoff. Must not throw. */
  readonly onError?: (error: unknown) => void
  /** Called with the partitions of this member after each rebalance. Must not throw. */
  readonly onAssigned?: (partitions: readonly number[]) => void
  /** How long the group waits for a silent member; 10 s by default. Independent of how long `onBatch` takes. */
  readonly sessionTimeoutMs?: number
  /** Its abort closes the consumption, also before the group is joined. */
  readonly signal?: AbortSignal
}

export interface TailOptions {
  /** `end` by default. */
  readonly from?: 'end' | 'beginning'
  readonly signal?: AbortSignal
}

export interface ReadOptions {
  /** At most one for each partition. */
  readonly ranges?: readonly ReadRange[]
  readonly signal?: AbortSignal
}

/** Records of one partition. */
export interface ReadRange {
  readonly partition: number
  /** Inclusive; at least the first offset, which is the default. */
  readonly from?: bigint
  /** Exclusive; at most the next offset at the time of the call, which is the default. */
  readonly to?: bigint
}

export interface Consumption {
  /** Whether the member is in its group and fetching. */
  isRunning(): boolean
  /** Stops fetching, waits for running batches (at most 30 s) and leaves the group. Do not await it in `onBatch`. Idempotent. */
  close(): Promise<void>
}

export interface TopicSpec {
  readonly topic: string
  readonly partitions: number
  readonly replicas?: number
  /** Further settings of the topic, such as `retention.ms`. */
  readonly config?: Readonly<Record<string, string>>
}

/** The topic setting for record times, and its value for append times. */
export const TIMESTAMP_TYPE = 'message.timestamp.type'
export const APPEND_TIME = 'LogAppendTime'

export interface GroupInfo {
  /** Members now, whatever they consume. */
  readonly members: number
  /** Partitions of the topic that a member has; none during a rebalance. */
  readonly owned: ReadonlySet<number>
  /** By partition, the next offset; only of partitions with a commit. */
  readonly offsets: ReadonlyMap<number, bigint>
}

/** The replicas of the partition with the fewest. */
export interface TopicCopies {
  /** In the cluster. */
  readonly brokers: number
  readonly replicas: number
  /** In-sync replicas. */
  readonly inSync: number
}

export interface PartitionInfo {
  readonly partition: number
  readonly firstOffset: bigint
  readonly nextOffset: bigint
}

/** Offsets to read of a partition: `from` inclusive, `to` exclusive. */
export interface ReadSpan {
  readonly from: bigint
  readonly to: bigint
}

/**
 * The spans of `ranges` (default: all of the topic) by partition, without empty ones. Throws `log_unavailable` if the topic or a partition
 * does not exist.
 */
export function spansOf(
  topic: string,
  partitions: readonly PartitionInfo[] | undefined,
  ranges: readonly ReadRange[] = (partitions ?? []).map(({ partition }) => ({ partition })),
): Map<number, ReadSpan> {
  if (!partitions) throw new PlimsollError('log_unavailable', `there is no topic \`${topic}\``)
  const spans = ranges.map(({ partition, from = 0n, to }) => {
    const info = partitions.find((each) => each.partition === partition)
    if (!info) throw new PlimsollError('log_unavailable', `topic \`${topic}\` has no partition ${partition}`)
    const { firstOffset, nextOffset } = info
    const span = {
      from: from > firstOffset ? from : firstOffset,
      to: to !== undefined && to < nextOffset ? to : nextOffset,
    }
    return [partition, span] as const
  })
  const byPartition = new Map(spans)
  if (byPartition.size < spans.length) throw new RangeError('expected one range for each partition')
  return new Map(spans.filter(([, { from, to }]) => from < to))
}

/** The functions of `admin`, each after `assertOpen`. */
export function whileOpen(assertOpen: () => void, admin: LogAdmin): LogAdmin {
  const guarded =
    <A extends readonly unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      assertOpen()
      return call(...args)
    }
  return {
    createTopics: guarded(admin.createTopics),
    describe: guarded(admin.describe),
    offsetAt: guarded(admin.offsetAt),
    settings: guarded(admin.settings),
    copies: guarded(admin.copies),
    group: guarded(admin.group),
    ping: guarded(admin.ping),
  }
}

/** Throws `closed` if `signal` is already aborted. */
export function assertNotAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new PlimsollError('closed', 'closed before it began')
}
