import {
  decisionSchema,
  eventSchema,
  PlimsollError,
  type Decision,
  type Event,
  type Topics,
  parseJson,
} from '@plimsoll/contracts'
import { partitionOf, type EventLog, type LogRecord } from '@plimsoll/runtime'
import { rangesOf } from '../records.js'

/** One event of a session as it lies in the log, with what was decided on it. */
export interface TimelineEntry {
  readonly offset: bigint
  /** When the log took it, milliseconds since 1970. */
  readonly timeMs: number
  /** Undefined for a record that is no event: it was set aside. */
  readonly event: Event | undefined
  /** The same decision is listed once, however often it was published. */
  readonly decisions: readonly Decision[]
}

export interface Timeline {
  readonly entries: readonly TimelineEntry[]
  /** Whether the session's start is among them: else there may have been more before. */
  readonly isWhole: boolean
  /** Whether there were more entries than are kept; the earliest are then left out. */
  readonly isCut: boolean
}

export interface TimelineOptions {
  readonly log: Pick<EventLog, 'read' | 'describe' | 'offsetAt'>
  readonly topics: Pick<Topics, 'events' | 'decisions'>
  readonly sessionId: string
  /** How far back is read, milliseconds since 1970. */
  readonly fromMs: number
  /** Time of the last event, if known: the hour before it is read first. */
  readonly lastEventMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

const FIRST_LOOK_MS = 3_600_000
/** Append times of two topics are of two brokers' clocks. */
const SKEW_MS = 60_000
const ENTRIES_MAX = 10_000

/**
 * The events of one session and the decisions on them, read back from the log: of the session's partition alone, from `fromMs` on. Most
 * sessions are short: the hour before the last event usually has all.
 */
export async function readTimeline(options: TimelineOptions): Promise<Timeline> {
  const { fromMs, lastEventMs } = options
  if (lastEventMs !== undefined && lastEventMs - FIRST_LOOK_MS > fromMs) {
    const look = await readFrom(options, lastEventMs - FIRST_LOOK_MS)
    if (look.isWhole || look.isCut || options.signal?.aborted) return look
  }
  return readFrom(options, fromMs)
}

async function readFrom(options: TimelineOptions, fromMs: number): Promise<Timeline> {
  const { topics, sessionId } = options
  const [events, decisions] = await Promise.all([
    recordsOf(options, topics.events, fromMs),
    recordsOf(options, topics.decisions, fromMs - SKEW_MS),
  ])
  return timelineOf(events, decisions, sessionId)
}

/** The session's records in `topic`, at most the last `ENTRIES_MAX`. */
async function recordsOf(
  { log, sessionId, signal }: TimelineOptions,
  topic: string,
  fromMs: number,
): Promise<readonly LogRecord[]> {
  const partitions = (await log.describe(topic))?.length
  if (partitions === undefined) throw new PlimsollError('config_invalid', `no topic \`${topic}\``)
  const partition = partitionOf(sessionId, partitions)
  const ranges = await rangesOf(log, topic, { fromMs, partition })
  let records: LogRecord[] = []
  const take = (record: LogRecord) => {
    if (record.key !== sessionId) return
    // The copy releases the rest of the fetch.
    records.push({ ...record, value: record.value && Buffer.from(record.value) })
    if (records.length > 2 * ENTRIES_MAX) records = records.slice(-ENTRIES_MAX - 1)
  }
  if (ranges.length > 0) await log.read(topic, take, { ranges, ...(signal && { signal }) })
  return records
}

/** The entries that `events` and `decisions`, of one session and in log order, make. */
export function timelineOf(
  events: readonly LogRecord[],
  decisions: readonly LogRecord[],
  sessionId: string,
): Timeline {
  const decided = new Map<string, Map<string, Decision>>()
  for (const { value } of decisions) {
    const { data: decision } = decisionSchema.safeParse(parseJson(value))
    if (decision?.sessionId !== sessionId) continue
    const at = placeOf(decision.eventId, decision.time)
    decided.set(at, (decided.get(at) ?? new Map<string, Decision>()).set(decision.id, decision))
  }
  const entries = events.slice(-ENTRIES_MAX).map(({ offset, timeMs, value }): TimelineEntry => {
    const { data: event } = eventSchema.safeParse(parseJson(value))
    const at = placeOf(event?.id ?? '', timeMs)
    const answers = [...(decided.get(at)?.values() ?? [])]
    decided.delete(at)
    return { offset, timeMs, event, decisions: answers }
  })
  return {
    entries,
    isWhole: entries.some(({ event }) => event?.type === 'session.started'),
    isCut: events.length > ENTRIES_MAX,
  }
}

/** An event that was sent several times has several decisions: a decision has the append time of its event. */
const placeOf = (eventId: string, timeMs: number): string => `${timeMs} ${eventId}`
