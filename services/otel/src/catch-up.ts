import {
  type EventLog,
  type LogRecord,
  type Logger,
  type ReadRange,
  createBackoff,
  pause,
} from '@plimsoll/runtime'
import { ID_PREFIX } from './span-mapper.js'

/** What the log holds of the time before this process was assigned the partitions. */
interface CatchUp {
  /** Records of spans that the previous reader may have held when it ended. */
  readonly records: readonly LogRecord[]
  /** Ids of spans that were published since then. */
  readonly published: ReadonlySet<string>
  /** Sessions of spans that were published since then. */
  readonly sessions: ReadonlySet<string>
}

export interface CatchUpsOptions {
  readonly log: Pick<EventLog, 'read' | 'offsetAt' | 'describe' | 'group'>
  readonly spansTopic: string
  readonly eventsTopic: string
  readonly group: string
  /** How far to look back from the last record that was read. */
  readonly windowMs: number
  readonly signal: AbortSignal
  readonly logger: Logger
  readonly onCaughtUp: (caughtUp: CatchUp) => void
}

/**
 * Reads newly assigned partitions again from a little before their committed offsets. Offsets are committed when spans are read, not
 * when they are published, because held spans must not stop the reading. So what a killed process held is found here.
 */
export function createCatchUps(options: CatchUpsOptions) {
  const { logger, signal, onCaughtUp } = options
  const byPartition = new Map<number, Promise<void>>()

  async function run(partitions: readonly number[]): Promise<void> {
    const backoff = createBackoff()
    while (!signal.aborted) {
      try {
        return onCaughtUp(await catchUp(partitions, options))
      } catch (error) {
        if (signal.aborted) return
        logger.warn('retrying to catch up on held spans', { error })
        await pause(backoff.next(), signal)
      }
    }
  }

  return {
    /** To be called with all partitions that this process reads from now on. */
    assigned: (partitions: readonly number[]): void => {
      for (const partition of byPartition.keys())
        if (!partitions.includes(partition)) byPartition.delete(partition)
      const gained = partitions.filter((each) => !byPartition.has(each))
      if (gained.length === 0) return
      const running = run(gained)
      for (const partition of gained) byPartition.set(partition, running)
    },
    /** Resolves when `partition` has caught up. Never rejects. */
    done: async (partition: number): Promise<void> => byPartition.get(partition),
  }
}

async function catchUp(partitions: readonly number[], options: CatchUpsOptions): Promise<CatchUp> {
  const { log, spansTopic, group, signal } = options
  const { offsets } = await log.group(group, spansTopic)
  const ranges: ReadRange[] = []
  let sinceMs = Number.POSITIVE_INFINITY
  for (const partition of partitions) {
    const window = await windowBefore(partition, offsets.get(partition) ?? 0n, options)
    if (!window) continue
    ranges.push(window.range)
    sinceMs = Math.min(sinceMs, window.sinceMs)
  }
  if (ranges.length === 0) return { records: [], published: new Set(), sessions: new Set() }
  const records: LogRecord[] = []
  await log.read(spansTopic, (record) => void records.push(record), { ranges, signal })
  return { records, ...(await eventsSince(sinceMs, options)) }
}

/** The last `windowMs` of records before offset `to`; undefined if there are none. */
async function windowBefore(
  partition: number,
  to: bigint,
  { log, spansTopic, windowMs, signal }: CatchUpsOptions,
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

/** Matches the first members of our own events, which are always written in this order. */
const OWN_EVENT = new RegExp(
  `"id":"${ID_PREFIX.replace('.', '\\.')}(?:start|([0-9a-f]{16})\\.(?:begin|end))","sessionId":"([^"]+)"`,
)

/** The most bytes at the start of an event that its ids can take. */
const HEAD_BYTES = 512

async function eventsSince(
  sinceMs: number,
  { log, eventsTopic, signal }: CatchUpsOptions,
): Promise<Pick<CatchUp, 'published' | 'sessions'>> {
  const published = new Set<string>()
  const sessions = new Set<string>()
  const ranges: ReadRange[] = []
  for (const { partition } of (await log.describe(eventsTopic)) ?? []) {
    const from = await log.offsetAt(eventsTopic, partition, sinceMs)
    if (from !== undefined) ranges.push({ partition, from })
  }
  const onRecord = ({ value }: LogRecord): void => {
    const [, spanId, sessionId] = OWN_EVENT.exec(value?.toString('latin1', 0, HEAD_BYTES) ?? '') ?? []
    if (spanId !== undefined) published.add(spanId)
    if (sessionId !== undefined) sessions.add(sessionId)
  }
  if (ranges.length > 0) await log.read(eventsTopic, onRecord, { ranges, signal })
  return { published, sessions }
}
