import {
  type Event,
  type InternalEvent,
  INTERNAL_EVENTS,
  PlimsollError,
  parseJson,
  eventSchema,
  isSignedBy,
} from '@plimsoll/contracts'
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

/** The event in a record, as a monitor would take it; undefined for a control change and for what a monitor sets aside. */
export function eventIn({ key, value }: LogRecord, signingKey: string | undefined): Event | undefined {
  const parsed = eventSchema.safeParse(parseJson(value))
  if (!parsed.success || parsed.data.sessionId !== key) return undefined
  const event = parsed.data
  if (isInternal(event) && (signingKey === undefined || !isSignedBy(event, signingKey))) return undefined
  return event
}

function isInternal(event: Event): event is InternalEvent {
  return INTERNAL_EVENTS.some((type) => type === event.type)
}

/** The outcome of a session, as a reviewer labelled it. */
export interface SessionOutcome {
  readonly violated: boolean
  /** The step that did it, where it is known. */
  readonly callId: string | undefined
}

/** Outcomes by session; what a reviewer said last counts, else the appeals: of one decision the last. */
export interface Outcomes {
  take(record: LogRecord): void
  of(sessionId: string): SessionOutcome | undefined
  readonly count: number
  /** Sessions that did harm by a step that is named. */
  violatedByStep(): number
}

/** Sessions whose outcome is kept: some 200 bytes each. Who labels more is no human. */
const OUTCOMES_MAX = 500_000

const EVENT_TYPES_BYTES = ['"session.labelled"', '"decision.appealed"'].map((type) => Buffer.from(type))

/** Steps of one session that appeals say did harm. */
const APPEALED_MAX = 100

/** What was said of one session. An appeal that a step did harm says so of it; that a step was stopped for nothing says nothing of the others. */
interface Said {
  labelled?: SessionOutcome
  /** Steps that did harm, by the last appeal of each decision. */
  readonly harmful: Map<string, string>
}

function take({ harmful, ...said }: Said, event: Event): Said {
  if (event.type === 'session.labelled')
    return { harmful, labelled: { violated: event.violated, callId: event.callId } }
  if (event.type === 'decision.appealed') {
    harmful.delete(event.decisionId)
    if (event.expected === 'block' && harmful.size < APPEALED_MAX) harmful.set(event.decisionId, event.callId)
  }
  return { ...said, harmful }
}

function outcomeOf({ labelled, harmful }: Said): SessionOutcome | undefined {
  if (labelled || harmful.size === 0) return labelled
  return { violated: true, callId: [...harmful.values()].at(-1) }
}

export function createOutcomes(signingKey: string | undefined): Outcomes {
  const sessions = new Map<string, Said>()
  return {
    take: (record) => {
      // Few records are any: the others are not parsed for it.
      const { value } = record
      if (!value || !EVENT_TYPES_BYTES.some((type) => value.includes(type))) return
      const event = eventIn(record, signingKey)
      if (!event) return
      const { sessionId } = event
      const known = sessions.get(sessionId)
      if (!known && sessions.size >= OUTCOMES_MAX) return
      const said = take(known ?? { harmful: new Map() }, event)
      if (outcomeOf(said)) sessions.set(sessionId, said)
      else sessions.delete(sessionId)
    },
    of: (sessionId) => {
      const said = sessions.get(sessionId)
      return said && outcomeOf(said)
    },
    get count() {
      return sessions.size
    },
    violatedByStep: () =>
      [...sessions.values()]
        .map(outcomeOf)
        .filter((outcome) => outcome?.violated === true && outcome.callId !== undefined).length,
  }
}
