import { PlimsollError } from '@plimsoll/contracts'

/**
 * The port to the log that everything passes through. Adapters: `kafka/` (kafkajs) and `embedded/` (one process). Every adapter
 * passes test/contract/event-log.contract.ts.
 */
export interface EventLog {
  /**
   * Writes `records` in their order, idempotently, and resolves when all replicas that must have them do. Records of one key
   * go to one partition and keep their order, over calls too. Rejects with `log_unavailable` once its bounded retries are used
   * up; some of the records may then have been written, and calls for the same topic that wait behind it are rejected with it, so
   * that nothing overtakes what is tried again. Rejects with `queue_full` where too much waits already.
   */
  produce(topic: string, records: readonly OutgoingRecord[]): Promise<void>

  /**
   * Consumes `topic` as a member of `group`, from the group's committed offset, else from the beginning. `onBatch` has one batch
   * of a partition at a time; other partitions may run beside it. A batch is done when `onBatch` resolves; if it rejects, or
   * resolves without having committed all of the batch, the records from the last commit on are delivered again after a backoff,
   * without end. Resolves once the group has been joined, however long there is no log or no topic; rejects with `closed` where it
   * is closed or `signal` aborted before. While the log is away it tries to come back without end.
   */
  consume(options: ConsumeOptions): Promise<Consumption>

  /**
   * Reads every record that is appended to `topic` from this call on, in all partitions, in a group of nobody else; with
   * `from: 'beginning'` what lies there already before it. Resolves when nothing published after it can be missed. Nothing is
   * committed; after a lost connection it goes on where it was. An `onRecord` that throws is logged, and its record skipped.
   * Waits and is ended as `consume` is.
   */
  tail(topic: string, onRecord: (record: LogRecord) => void, options?: TailOptions): Promise<Consumption>

  /**
   * Reads what lies in `topic` at the call: of each range its records in offset order, partitions in no order;
   * all partitions from their first record to their end where no ranges are given. Resolves when all were given to `onRecord`.
   * What retention has taken, and offsets that hold no record, are skipped in silence: anyone who needs to know looks at the offsets.
   * After a lost connection it goes on where it was; nothing is given twice. Where `onRecord` gives a promise, the next record waits for it.
   * Rejects with what `onRecord` throws; with
   * `log_unavailable` where there is no such topic or partition, or where nothing came of it for a minute; with `closed` where the log
   * is closed or `signal` aborted before the end. Memory is bounded by a fetch, however much is read.
   */
  read(topic: string, onRecord: (record: LogRecord) => unknown, options?: ReadOptions): Promise<void>

  /** Makes the topics that are missing, with append-time timestamps; leaves those that exist as they are. */
  createTopics(topics: readonly TopicSpec[]): Promise<void>

  /** Partitions of `topic` with their first and next offsets; undefined where there is no such topic. */
  describe(topic: string): Promise<readonly PartitionInfo[] | undefined>

  /**
   * The first offset of `partition` whose append time is `timeMs` or later; undefined where there is none. With an append time
   * that was once seen at some offset, an answer beyond that offset tells that the topic is not the same any more.
   */
  offsetAt(topic: string, partition: number, timeMs: number): Promise<bigint | undefined>

  /**
   * Settings of `topic` by their names in Kafka, those that were never set too, such as `cleanup.policy`; undefined where there is no
   * such topic or the log will not say.
   */
  settings(topic: string): Promise<Readonly<Record<string, string>> | undefined>

  /** How many copies of `topic` there are; undefined where there is no such topic. */
  copies(topic: string): Promise<TopicCopies | undefined>

  /** Who consumes `topic` as `group`, and how far they are. A group that nobody knows has no members and no offsets. */
  group(group: string, topic: string): Promise<GroupInfo>

  /** Rejects with `log_unavailable` unless the log answers now. */
  ping(): Promise<void>

  /** Ends consumptions, flushes and disconnects; calls then reject with `closed`. Harmless a second time. */
  close(): Promise<void>
}

export interface OutgoingRecord {
  readonly key: string | null
  readonly value: string | Uint8Array | null
  readonly headers?: Readonly<Record<string, string>>
}

/** One record as it lies in the log. `timeMs` is the log's append time. */
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
  /** Offset that the next record appended to the partition will have, as of the fetch. */
  readonly endOffset: bigint
  /**
   * Commits that everything up to and with `offset`, one of the batch's, is done. Rejects with `contended` where the partition is no
   * longer ours: anyone who owns it now reads from the last commit. Rejects with `log_unavailable` where the log does not answer; the
   * commit may stand all the same, so what it covers must be done before. Either ends the batch: every later commit of it rejects
   * too. One attempt, so that its answer is of the assignment it was made under.
   */
  commit(offset: bigint): Promise<void>
  /** False once the consumption is closing or the partition has been taken away: stop at the next commit. */
  isOwned(): boolean
}

export interface ConsumeOptions {
  readonly topic: string
  readonly group: string
  readonly onBatch: (batch: Batch) => Promise<void>
  /** Told of an `onBatch` that rejected, before the backoff. Must not throw. */
  readonly onError?: (error: unknown) => void
  /** Told of the partitions this member owns after each rebalance. Must not throw. */
  readonly onAssigned?: (partitions: readonly number[]) => void
  /**
   * How long the group waits for a silent member; 10 s by default. An `onBatch` may take longer: membership does not hang on it.
   */
  readonly sessionTimeoutMs?: number
  /** Closes the consumption when it is aborted, also while the group has still to be joined. */
  readonly signal?: AbortSignal
}

export interface TailOptions {
  /** `end` by default. */
  readonly from?: 'end' | 'beginning'
  readonly signal?: AbortSignal
}

export interface ReadOptions {
  /** At most one a partition. */
  readonly ranges?: readonly ReadRange[]
  readonly signal?: AbortSignal
}

/** Records of one partition. */
export interface ReadRange {
  readonly partition: number
  /** Inclusive; the first there is where it is left out or lies before that. */
  readonly from?: bigint
  /** Exclusive; the end at the time of the call where it is left out or lies beyond that. */
  readonly to?: bigint
}

export interface Consumption {
  /** Whether the member is in its group and fetching. */
  isRunning(): boolean
  /**
   * Stops fetching, lets batches under way end (for 30 s at most), leaves the group. Not to be awaited within `onBatch`. Harmless a
   * second time.
   */
  close(): Promise<void>
}

export interface TopicSpec {
  readonly topic: string
  readonly partitions: number
  readonly replicas?: number
  /** Further settings of the topic, such as `retention.ms`. */
  readonly config?: Readonly<Record<string, string>>
}

/** Setting that tells who stamps the records of a topic with their time, and its value where the log itself does. */
export const TIMESTAMP_TYPE = 'message.timestamp.type'
export const APPEND_TIME = 'LogAppendTime'

export interface GroupInfo {
  /** Those who are in the group now, whatever they consume. */
  readonly members: number
  /** Partitions of the topic that a member has, as the group was told last; none while it shares them out. */
  readonly owned: ReadonlySet<number>
  /** By partition, the offset after the last one done; only of partitions of which something was committed. */
  readonly offsets: ReadonlyMap<number, bigint>
}

/** Of the partition that is the worst off. */
export interface TopicCopies {
  /** That the cluster has, with or without a copy. */
  readonly brokers: number
  readonly replicas: number
  /** Replicas that have all that was written. */
  readonly inSync: number
}

export interface PartitionInfo {
  readonly partition: number
  readonly firstOffset: bigint
  readonly nextOffset: bigint
}

/** What is still to be read of a partition: `from` inclusive, `to` exclusive. */
export interface ReadSpan {
  readonly from: bigint
  readonly to: bigint
}

/**
 * What `ranges`, or all of the topic, come to in a topic that lies as `partitions` say; nothing of what is empty. Throws `log_unavailable`
 * for a topic or partition that is not there.
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
  if (byPartition.size < spans.length) throw new RangeError('expected one range a partition')
  return new Map(spans.filter(([, { from, to }]) => from < to))
}
