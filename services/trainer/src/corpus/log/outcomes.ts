import {
  type Event,
  type InternalEvent,
  INTERNAL_EVENTS,
  eventSchema,
  isSignedBy,
  parseJson,
} from '@plimsoll/contracts'
import type { LogRecord } from '@plimsoll/runtime'

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

/** What somebody said who looked at a session. */
export interface SessionOutcome {
  readonly violated: boolean
  /** The step that did it, where it is known. */
  readonly callId: string | undefined
}

/** Outcomes by session; what was said last counts. */
export interface Outcomes {
  take(record: LogRecord): void
  of(sessionId: string): SessionOutcome | undefined
  readonly count: number
  /** Sessions that did harm by a step that is named. */
  violatedByStep(): number
}

/** Sessions whose outcome is kept: some 200 bytes each. Who labels more is no human. */
const OUTCOMES_MAX = 500_000

const EVENT_TYPE_BYTES = Buffer.from('"session.labelled"')

export function createOutcomes(signingKey: string | undefined): Outcomes {
  const outcomes = new Map<string, SessionOutcome>()
  return {
    take: (record) => {
      // Few records are any: the others are not parsed for it.
      if (!record.value?.includes(EVENT_TYPE_BYTES)) return
      const event = eventIn(record, signingKey)
      if (event?.type !== 'session.labelled') return
      const { sessionId, violated, callId } = event
      if (outcomes.size < OUTCOMES_MAX || outcomes.has(sessionId))
        outcomes.set(sessionId, { violated, callId })
    },
    of: (sessionId) => outcomes.get(sessionId),
    get count() {
      return outcomes.size
    },
    violatedByStep: () =>
      [...outcomes.values()].filter(({ violated, callId }) => violated && callId !== undefined).length,
  }
}
