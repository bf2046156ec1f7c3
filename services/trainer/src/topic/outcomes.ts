import type { LogRecord } from '@plimsoll/runtime'
import { eventIn } from './events.js'

/** What somebody said who looked at a session. */
export interface ToldOutcome {
  readonly violated: boolean
  /** The step that did it, where it is known. */
  readonly callId: string | undefined
}

/** Outcomes by session; what was said last counts. */
export interface Outcomes {
  take(record: LogRecord): void
  of(sessionId: string): ToldOutcome | undefined
  readonly told: number
  /** Sessions that did harm by a step that is named. */
  violatedByStep(): number
}

/** Sessions whose outcome is kept: some 200 bytes each. Who labels more is no human. */
const OUTCOMES_MAX = 500_000

const MARK = Buffer.from('"session.labelled"')

export function createOutcomes(signingKey: string | undefined): Outcomes {
  const outcomes = new Map<string, ToldOutcome>()
  return {
    take: (record) => {
      // Few records are any: the others are not parsed for it.
      if (!record.value?.includes(MARK)) return
      const event = eventIn(record, signingKey)
      if (event?.type !== 'session.labelled') return
      const { sessionId, violated, callId } = event
      if (outcomes.size < OUTCOMES_MAX || outcomes.has(sessionId))
        outcomes.set(sessionId, { violated, callId })
    },
    of: (sessionId) => outcomes.get(sessionId),
    get told() {
      return outcomes.size
    },
    violatedByStep: () =>
      [...outcomes.values()].filter(({ violated, callId }) => violated && callId !== undefined).length,
  }
}
