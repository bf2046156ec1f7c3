import { type Event, type EventOf, INTERNAL_EVENTS } from '@plimsoll/contracts'

/** An event with the log's time, milliseconds since 1970. */
export interface TimedEvent {
  readonly event: Event
  readonly timeMs: number
}

/** A session as the log has it, from its start to its end. */
export interface LoggedSession {
  readonly id: string
  readonly category: string
  /** Offset of its start; -1 if unknown. */
  readonly startedAt: bigint
  /** In the order of the log, the start first; none that a monitor refused. */
  readonly events: readonly TimedEvent[]
}

/** Puts the sessions of one partition together from its events. */
export interface SessionAssembly {
  /** Gives a session where the event is its end. */
  take(event: Event, timeMs: number, offset?: bigint): LoggedSession | undefined
  /** The end of the partition. */
  close(): void
}

/** Events of a session that are followed, and of all sessions that are open at a time: some 2 kB each. */
const SESSION_EVENTS_MAX = 4_000
export const OPEN_EVENTS_MAX = 200_000

interface Open {
  readonly startedAt: bigint
  readonly events: TimedEvent[]
  readonly next: Map<string, number>
}

export interface AssemblyOptions {
  readonly openEventsMax?: number
  /** Keeps the arguments that clients disclosed, for policies that check them. */
  readonly keepsArguments?: boolean
}

/** @param census counts what is left out */
export function createSessionAssembly(
  census: LogCensus,
  { openEventsMax = OPEN_EVENTS_MAX, keepsArguments = false }: AssemblyOptions = {},
): SessionAssembly {
  /** The least recently used first. */
  const open = new Map<string, Open>()
  let held = 0
  const drop = (id: string, why: 'tooLong' | 'crowdedOut' | 'unfinished') => {
    held -= open.get(id)?.events.length ?? 0
    open.delete(id)
    census[why]++
  }
  const begin = (event: EventOf<'session.started'>, startedAt: bigint): Open | undefined => {
    if (event.seq !== 0 || open.has(event.sessionId)) return undefined
    return { startedAt, events: [], next: new Map() }
  }
  const keep = (id: string, session: Open, event: Event, timeMs: number) => {
    session.events.push({ event: lean(event, keepsArguments), timeMs })
    open.delete(id)
    open.set(id, session)
    held++
    if (session.events.length > SESSION_EVENTS_MAX) drop(id, 'tooLong')
    for (const [oldest] of open) {
      if (held <= openEventsMax) break
      drop(oldest, 'crowdedOut')
    }
  }
  return {
    take: (event, timeMs, offset = -1n) => {
      const id = event.sessionId
      const session = event.type === 'session.started' ? begin(event, offset) : open.get(id)
      if (!session) {
        if (!NEEDS_NO_START.has(event.type)) census.withoutStart++
        return undefined
      }
      if (isSequenced(event) && !isNext(session.next, event)) return undefined
      if (event.type === 'approval.resolved' && event.resolution === 'denied') census.denied++
      if (isEnd(event)) {
        held -= session.events.length
        open.delete(id)
        census.sessions++
        const { startedAt, events } = session
        return { id, category: categoryOf(session), startedAt, events }
      }
      if (isAssembled(event)) keep(id, session, event, timeMs)
      return undefined
    },
    close: () => {
      for (const id of open.keys()) drop(id, 'unfinished')
    },
  }
}

/** What starts a session, and what people say of sessions that are over. */
const NEEDS_NO_START: ReadonlySet<Event['type']> = new Set([
  'session.started',
  'session.labelled',
  'decision.appealed',
])

/** Drops texts: a log holds them only where their owners opted in, and no fit needs them. */
function lean(event: Event, keepsArguments: boolean): Event {
  if (event.type === 'step.proposed' && !keepsArguments) {
    const { arguments: _arguments, argumentsSalt: _salt, ...rest } = event
    return rest
  }
  if (event.type !== 'session.started' && event.type !== 'session.instructed') return event
  const { task: _task, ...rest } = event
  return rest
}

const isEnd = (event: Event): boolean =>
  event.type === 'session.ended' || (event.type === 'deadline.reached' && event.due.kind === 'idle')

const isSequenced = ({ type }: Event): boolean => !INTERNAL_EVENTS.some((internal) => internal === type)

const isAssembled = (event: Event): boolean =>
  event.type === 'labels.refined' || (isSequenced(event) && event.type !== 'session.ended')

/** An event out of its producer's sequence was refused, or is a repeat. */
function isNext(next: Map<string, number>, { producer, seq }: Event): boolean {
  if (seq !== (next.get(producer) ?? 0)) return false
  next.set(producer, seq + 1)
  return true
}

function categoryOf({ events }: Open): string {
  const first = events[0]?.event
  return first?.type === 'session.started' ? (first.category ?? '') : ''
}

/** Counts of what was read of the log, and of what was left out and why. */
export interface LogCensus {
  records: number
  /** Sessions found from their start to their end. */
  sessions: number
  /** Steps of them that ran: that were completed. */
  steps: number
  /** Proposals that were never completed: blocked, denied or unknown. They are censored. */
  neverRan: number
  /** Steps that a human denied. */
  denied: number
  /** Sessions with an outcome; those that did harm; those of them whose violating step is known and ran. */
  labelled: number
  violated: number
  violatedByStep: number
  /** Sessions that had not ended where the log ends. */
  unfinished: number
  /** Events of sessions whose start lies before what was read. */
  withoutStart: number
  /** Sessions with more events than are followed, or more at a time than there is room for. */
  tooLong: number
  crowdedOut: number
  /** Sessions that the engine refuses to follow. */
  unplayable: number
  /** Records that are no event of a session that a monitor would take. */
  unread: number
}

export const createLogCensus = (): LogCensus => ({
  records: 0,
  sessions: 0,
  steps: 0,
  neverRan: 0,
  denied: 0,
  labelled: 0,
  violated: 0,
  violatedByStep: 0,
  unfinished: 0,
  withoutStart: 0,
  tooLong: 0,
  crowdedOut: 0,
  unplayable: 0,
  unread: 0,
})
