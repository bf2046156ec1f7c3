import { PlimsollError } from '@plimsoll/contracts'
import type { EventLog, LogRecord, ReadRange } from '@plimsoll/runtime'

/** Records that wait to be taken: reading stops meanwhile. */
const WAITING_MAX = 1_000

/** The records of `ranges`, as they are taken, partitions in no order: no more than a fetch and `WAITING_MAX` of them are in memory. */
export async function* recordsIn(
  log: Pick<EventLog, 'read'>,
  topic: string,
  ranges: readonly ReadRange[],
  signal?: AbortSignal,
): AsyncGenerator<LogRecord> {
  const stopping = new AbortController()
  const stop = signal ? AbortSignal.any([signal, stopping.signal]) : stopping.signal
  let waiting: LogRecord[] = []
  let isDone = false
  let failure: unknown
  let wake = () => {}
  let makeRoom = () => {}
  const onRecord = (record: LogRecord): Promise<void> | undefined => {
    waiting.push(record)
    wake()
    if (waiting.length < WAITING_MAX) return undefined
    return new Promise((resolve) => (makeRoom = resolve))
  }
  const read = async (): Promise<void> => {
    try {
      await log.read(topic, onRecord, { ranges, signal: stop })
    } catch (error) {
      failure = error
    }
    isDone = true
    wake()
  }
  const reading = read()
  try {
    for (;;) {
      const taken = waiting
      waiting = []
      makeRoom()
      yield* taken
      if (waiting.length > 0) continue
      if (isDone) break
      await new Promise<void>((resolve) => (wake = resolve))
    }
    if (failure !== undefined) throw failure
  } finally {
    stopping.abort()
    makeRoom()
    await reading
  }
}

/** What is read of a topic. */
export interface LogSpan {
  readonly ranges: readonly Required<ReadRange>[]
  readonly records: number
}

export interface SpanOptions {
  /** Records older than this are left out; milliseconds since 1970. */
  readonly fromMs?: number | undefined
  /** Of each partition at most, the latest. */
  readonly recordsMax: number
}

/** What lies in `topic` now, within the bounds. Throws `log_unavailable` where there is no such topic. */
export async function spanOf(
  log: Pick<EventLog, 'describe' | 'offsetAt'>,
  topic: string,
  { fromMs, recordsMax }: SpanOptions,
): Promise<LogSpan> {
  const partitions = await log.describe(topic)
  if (!partitions) throw new PlimsollError('log_unavailable', `there is no topic \`${topic}\``)
  const ranges = await Promise.all(
    partitions.map(async ({ partition, firstOffset, nextOffset }) => {
      const since = fromMs === undefined ? firstOffset : await log.offsetAt(topic, partition, fromMs)
      const earliest = later(firstOffset, nextOffset - BigInt(recordsMax))
      return { partition, from: later(earliest, since ?? nextOffset), to: nextOffset }
    }),
  )
  return { ranges, records: ranges.reduce((sum, { from, to }) => sum + Number(to - from), 0) }
}

const later = (a: bigint, b: bigint): bigint => (a > b ? a : b)
