import {
  type EventLog,
  type LogRecord,
  type Logger,
  type ReadRange,
  createBackoff,
  pause,
} from '@plimsoll/runtime'
import { ID_PREFIX } from './events/span-mapper.js'

/** What the log tells of the time before partitions came to be read here. */
export interface CatchUp {
  /** Records of spans that anyone who read the partitions before may have held when it ended. */
  readonly records: readonly LogRecord[]
  /** Ids of spans that were published since then. */
  readonly published: ReadonlySet<string>
  /** Sessions of spans that were spoken of since then. */
  readonly sessions: ReadonlySet<string>
}

export interface CatchUpOptions {
  readonly log: Pick<EventLog, 'read' | 'offsetAt' | 'describe' | 'group'>
  readonly spansTopic: string
  readonly eventsTopic: string
  readonly group: string
  /** How long before the last record that was read. */
  readonly windowMs: number
  readonly signal: AbortSignal
}

const NOTHING: CatchUp = { records: [], published: new Set(), sessions: new Set() }

/**
 * Reads again what was read of `partitions` last. Offsets are committed when spans are read, not when they are published, for anyone who waits for
 * the rest of a trace must go on reading; so what a process held when it was killed is found here. Rejects as `read` does.
 */
export async function catchUp(partitions: readonly number[], options: CatchUpOptions): Promise<CatchUp> {
  const { log, spansTopic, group, signal } = options
  const { offsets } = await log.group(group, spansTopic)
  const ranges: ReadRange[] = []
  let sinceMs = Number.POSITIVE_INFINITY
  for (const partition of partitions) {
    const window = await windowOf(partition, offsets.get(partition) ?? 0n, options)
    if (!window) continue
    ranges.push(window.range)
    sinceMs = Math.min(sinceMs, window.sinceMs)
  }
  if (ranges.length === 0) return NOTHING
  const records: LogRecord[] = []
  await log.read(spansTopic, (record) => void records.push(record), { ranges, signal })
  return { records, ...(await eventsSince(sinceMs, options)) }
}

/** The last records before `to`; undefined where there is none. */
async function windowOf(
  partition: number,
  to: bigint,
  { log, spansTopic, windowMs, signal }: CatchUpOptions,
): Promise<{ range: ReadRange; sinceMs: number } | undefined> {
  if (to <= 0n) return undefined
  let lastMs: number | undefined
  const onRecord = ({ timeMs }: LogRecord): void => void (lastMs = timeMs)
  await log.read(spansTopic, onRecord, { ranges: [{ partition, from: to - 1n, to }], signal })
  if (lastMs === undefined) return undefined
  const sinceMs = lastMs - windowMs
  const from = await log.offsetAt(spansTopic, partition, sinceMs)
  return from === undefined || from >= to ? undefined : { range: { partition, from, to }, sinceMs }
}

/** The beginning of our events, whose members stand in this order. */
const OURS = new RegExp(
  `"id":"${ID_PREFIX.replace('.', '\\.')}(?:start|([0-9a-f]{16})\\.(?:begin|end))","sessionId":"([^"]+)"`,
)

async function eventsSince(
  sinceMs: number,
  { log, eventsTopic, signal }: CatchUpOptions,
): Promise<Pick<CatchUp, 'published' | 'sessions'>> {
  const published = new Set<string>()
  const sessions = new Set<string>()
  const ranges: ReadRange[] = []
  for (const { partition } of (await log.describe(eventsTopic)) ?? []) {
    const from = await log.offsetAt(eventsTopic, partition, sinceMs)
    if (from !== undefined) ranges.push({ partition, from })
  }
  const look = ({ value }: LogRecord): void => {
    const [, spanId, sessionId] = OURS.exec(value?.toString('latin1', 0, HEAD_BYTES) ?? '') ?? []
    if (spanId !== undefined) published.add(spanId)
    if (sessionId !== undefined) sessions.add(sessionId)
  }
  if (ranges.length > 0) await log.read(eventsTopic, look, { ranges, signal })
  return { published, sessions }
}

/** As much of an event as its ids take at most. */
const HEAD_BYTES = 512

/** Sees that partitions that were not read here are looked back at before they are read on. */
export interface CatchUps {
  /** Told of the partitions that are read here from now on. */
  readonly assigned: (partitions: readonly number[]) => void
  /** Resolves when `partition` has been looked back at. Never rejects. */
  done(partition: number): Promise<void>
}

export interface CatchUpsOptions extends CatchUpOptions {
  readonly logger: Logger
  readonly onRecall: (recall: CatchUp) => void
}

export function createCatchUps(options: CatchUpsOptions): CatchUps {
  const { logger, signal, onRecall } = options
  const byPartition = new Map<number, Promise<void>>()

  async function lookBack(partitions: readonly number[]): Promise<void> {
    const backoff = createBackoff()
    while (!signal.aborted) {
      try {
        return onRecall(await catchUp(partitions, options))
      } catch (error) {
        if (signal.aborted) return
        logger.warn('spans that may have been held are looked for again', { error })
        await pause(backoff.next(), signal)
      }
    }
  }

  return {
    assigned: (partitions) => {
      for (const lost of [...byPartition.keys()].filter((each) => !partitions.includes(each)))
        byPartition.delete(lost)
      const gained = partitions.filter((each) => !byPartition.has(each))
      if (gained.length === 0) return
      const looking = lookBack(gained)
      for (const partition of gained) byPartition.set(partition, looking)
    },
    done: async (partition) => byPartition.get(partition),
  }
}
