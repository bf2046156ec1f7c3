import { type Decision, type Reason, type Versions, decisionSchema, parseJson } from '@plimsoll/contracts'
import type { Facts } from '@plimsoll/engine'
import type { LogRecord } from '@plimsoll/runtime'

/** A step as it was decided when it was proposed. */
export interface RecordedStep {
  readonly verdict: Decision['verdict']
  /** Without their messages. */
  readonly reasons: readonly Reason[]
  readonly versions: Versions & { readonly engine: string }
  readonly facts: Facts
}

/** Decisions on proposals, by their events. */
export interface RecordedDecisions {
  add(record: Pick<LogRecord, 'key' | 'value'>): void
  /** The first of its session; undefined for a session without any. */
  firstOf(sessionId: string): RecordedStep | undefined
  /** Forgets it: an event that is in the log twice was decided once. */
  take(sessionId: string, eventId: string): RecordedStep | undefined
  /** Whether a monitor refused the event before its engine saw it. */
  wasTurnedAway(sessionId: string, eventId: string): boolean
  /** Steps; and those beyond what is kept. */
  readonly count: number
  readonly notKept: number
}

/** Decisions that are kept, some 500 bytes each. */
const DECISIONS_MAX = 300_000

/** Refusals by a monitor, of what its engine never sees. */
const TURNED_AWAY: ReadonlySet<string> = new Set([
  'quota_exceeded',
  'identity_missing',
  'identity_invalid',
  'proof_invalid',
])

export function createRecordedDecisions(): RecordedDecisions {
  const steps = new Map<string, RecordedStep>()
  const first = new Map<string, RecordedStep>()
  const turnedAway = new Set<string>()
  let count = 0
  let notKept = 0
  return {
    add: ({ key, value }) => {
      const { data: decision } = decisionSchema.safeParse(parseJson(value))
      if (!decision || decision.sessionId !== key) return
      const at = placeOf(decision.sessionId, decision.eventId)
      const isFull = steps.size + turnedAway.size >= DECISIONS_MAX
      if (decision.kind === 'refusal') {
        const isAway = decision.reasons.some(({ code }) => TURNED_AWAY.has(code))
        if (isAway && !isFull) turnedAway.add(at)
        return
      }
      // A decision that was published again is the same.
      if (decision.kind !== 'step' || !decision.versions || steps.has(at)) return
      if (isFull) return void notKept++
      const step = recordedStep(decision, decision.versions)
      steps.set(at, step)
      if (!first.has(decision.sessionId)) first.set(decision.sessionId, step)
      count++
    },
    firstOf: (sessionId) => first.get(sessionId),
    take: (sessionId, eventId) => {
      const at = placeOf(sessionId, eventId)
      const step = steps.get(at)
      steps.delete(at)
      return step
    },
    wasTurnedAway: (sessionId, eventId) => turnedAway.has(placeOf(sessionId, eventId)),
    get count() {
      return count
    },
    get notKept() {
      return notKept
    },
  }
}

const placeOf = (sessionId: string, eventId: string): string => `${sessionId} ${eventId}`

const recordedStep = (
  { verdict, reasons, mode, facts }: Decision,
  versions: RecordedStep['versions'],
): RecordedStep => ({
  verdict,
  reasons: reasons.map((reason) => ({ ...reason, message: '' })),
  versions,
  facts: factsIn(mode, facts),
})

/** The facts that a decision was made by, from its record. */
function factsIn(mode: Facts['mode'], { stop, ...readings }: Decision['facts']): Facts {
  const numbers = Object.entries(readings).filter((entry): entry is [string, number] => isNumber(entry[1]))
  return {
    mode,
    ...(isStop(stop) && { stop }),
    ...(numbers.length > 0 && { readings: Object.fromEntries(numbers) }),
  }
}

const isNumber = (value: unknown): value is number => typeof value === 'number'

const isStop = (value: unknown): value is NonNullable<Facts['stop']> =>
  typeof value === 'object' && value !== null && 'by' in value && typeof value.by === 'string'
