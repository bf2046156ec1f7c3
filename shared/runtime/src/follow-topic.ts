import { setImmediate } from 'node:timers/promises'
import { PlimsollError } from '@plimsoll/contracts'
import type { Consumption, EventLog, LogRecord } from './ports/event-log.js'

/** Records that wait to be taken in, of a topic. Beyond it they are dropped and read again from the log: memory stays bounded. */
const WAITING_MAX = 20_000
const WAITING_BYTES_MAX = 64 * 1024 * 1024
/** Records taken in at a time, and then the event loop serves others. */
const PART_MAX = 500

export interface FollowTopicOptions {
  readonly log: Pick<EventLog, 'tail' | 'read' | 'describe'>
  readonly topic: string
  /** Where reading goes on, by partition; partitions without an offset are read from their beginning. It is moved on. */
  readonly next: Map<number, bigint>
  /** Takes records in, each partition's in order; none twice. Live ones have just arrived; the others were read to catch up. */
  readonly onRecords: (records: readonly LogRecord[], isLive: boolean) => Promise<void>
  /** Gets the error before the next attempt. Must not throw. */
  readonly onError: (error: unknown) => Promise<void>
  readonly signal: AbortSignal
  /** Default: `WAITING_MAX`. */
  readonly waitingMax?: number
  /** Bytes of their values. Default: `WAITING_BYTES_MAX`. */
  readonly waitingBytesMax?: number
}

export interface FollowedTopic {
  /** Resolves once everything that was in the topic at the start is taken in. */
  readonly caughtUp: Promise<void>
  /** Whether new records arrive. */
  isRunning(): boolean
  /** Records that are not taken in yet. */
  lag(): number
  close(): Promise<void>
}

/**
 * Takes in every record of a topic from `next` on: what is there is read, what follows is tailed. If more arrives than is taken in, the
 * records that wait are dropped and read from the log again. Resolves once the tail runs, as `tail` does.
 */
export async function followTopic(options: FollowTopicOptions): Promise<FollowedTopic> {
  const { log, topic, next, onRecords, onError, waitingMax = WAITING_MAX } = options
  const { waitingBytesMax = WAITING_BYTES_MAX } = options
  const closing = new AbortController()
  const signal = AbortSignal.any([closing.signal, options.signal])
  let waiting: LogRecord[] = []
  let waitingBytes = 0
  /** Records that were in the log when a catch-up began, and are not taken in. */
  let missing = 0
  /** Whether records are missing from `waiting`: at the start, and after it was full. */
  let isBehind = true
  let wake: () => void = () => {}
  let settle: () => void = () => {}
  const caughtUp = new Promise<void>((resolve) => (settle = resolve))

  const drop = (): void => {
    waiting = []
    waitingBytes = 0
  }

  const receive = (record: LogRecord): void => {
    if (isBehind && !isReading) return
    const bytes = bytesOf(record)
    if (waiting.length >= waitingMax || waitingBytes + bytes > waitingBytesMax) {
      drop()
      isBehind = true
      isReading = false
    } else {
      waiting.push({ ...record, value: record.value && Buffer.from(record.value) })
      waitingBytes += bytes
    }
    wake()
  }

  /** Whether the log is being read: what arrives meanwhile may follow what is read. */
  let isReading = false

  async function take(records: readonly LogRecord[], isLive: boolean): Promise<void> {
    const fresh = records.filter(({ partition, offset }) => offset >= (next.get(partition) ?? 0n))
    if (fresh.length > 0) await onRecords(fresh, isLive)
    // Requests are served between two parts.
    await setImmediate()
    for (const { partition, offset } of fresh) next.set(partition, offset + 1n)
    missing = Math.max(0, missing - fresh.length)
  }

  /** Reads from `next` to the end. */
  async function catchUp(): Promise<void> {
    isReading = true
    drop()
    const partitions = (await log.describe(topic)) ?? []
    const ranges = partitions.map(({ partition }) => ({ partition, from: next.get(partition) ?? 0n }))
    missing = partitions.reduce(
      (sum, { partition, firstOffset, nextOffset }) =>
        sum + Math.max(0, Number(nextOffset - later(firstOffset, next.get(partition) ?? 0n))),
      0,
    )
    let part: LogRecord[] = []
    const onRecord = async (record: LogRecord) => {
      part.push(record)
      if (part.length < PART_MAX) return
      const full = part
      part = []
      await take(full, false)
    }
    await log.read(
      topic,
      (record) => (part.length + 1 < PART_MAX ? void part.push(record) : onRecord(record)),
      {
        ranges,
        signal,
      },
    )
    await take(part, false)
    missing = 0
    // Full meanwhile: once more.
    if (isReading) isBehind = false
    isReading = false
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        if (isBehind) await catchUp()
        else if (waiting.length > 0) {
          const part = waiting.slice(0, PART_MAX)
          await take(part, true)
          // `receive` may have dropped them meanwhile.
          if (waiting[0] === part[0]) {
            waiting = waiting.slice(part.length)
            waitingBytes -= part.reduce((sum, record) => sum + bytesOf(record), 0)
          }
        } else {
          settle()
          await new Promise<void>((resolve) => (wake = resolve))
        }
      } catch (error) {
        // A closed log stays closed.
        if (signal.aborted || (error instanceof PlimsollError && error.code === 'closed')) return
        isBehind = true
        isReading = false
        await onError(error)
      }
    }
  }

  const tail: Consumption = await log.tail(topic, receive, { signal })
  signal.addEventListener('abort', () => wake(), { once: true })
  const running = run()
  return {
    caughtUp,
    isRunning: () => tail.isRunning(),
    lag: () => waiting.length + missing,
    async close() {
      closing.abort()
      await tail.close()
      await running
    },
  }
}

const bytesOf = ({ value }: LogRecord): number => value?.length ?? 0

const later = (a: bigint, b: bigint): bigint => (a > b ? a : b)
