import { PlimsollError, type Event } from '@plimsoll/contracts'
import {
  advance,
  decodeState,
  encodeState,
  refuse,
  type LoggedEvent,
  type Outcome,
  type RuleBook,
  type SessionState,
} from '@plimsoll/engine'
import type { LogRecord, RecordWrite, StoredRecord } from '@plimsoll/runtime'
import { decodeOutbox, encodeOutbox, type Emission } from './emission.js'

/** One event of a session with the record it came in. */
export interface SessionEvent {
  readonly record: LogRecord
  readonly event: Event
}

export interface FoldRules {
  readonly book: RuleBook
  readonly idleTtlMs: number
  readonly endedTtlMs: number
}

/** What a session's events of one chunk come to. */
export interface Folded {
  /** One for each event that gives anything, in log order. */
  readonly emissions: readonly Emission[]
  /** What the outcomes were, for the metrics; those answered from the outbox are not among them. */
  readonly outcomes: readonly Outcome[]
  /** Events that were folded before and whose answers are long committed. */
  readonly passedOver: number
  /** What must be stored before anything is published; undefined where there is nothing to store. */
  readonly write: RecordWrite | undefined
}

/** Offset before the first: a record that holds no event. */
const NO_OFFSET = -1n

/**
 * Folds `events` (log order) into the session's `stored` record. Pure but for the rules. Events at or below the stored offset are
 * answered from the outbox. Source: docs/decisions/20261121-delivery-order.md.
 *
 * @param chunkStart offset of the chunk's first record: everything below it is committed
 */
export function foldSession(
  id: string,
  stored: StoredRecord | undefined,
  events: readonly SessionEvent[],
  chunkStart: bigint,
  rules: FoldRules,
): Folded {
  const before = readRecord(id, stored)
  const outbox = before.outbox.filter(({ offset }) => offset >= chunkStart)
  const fresh = events.filter(({ record }) => record.offset > before.offset)
  const { state, outcomes } = before.isLost
    ? refuseAll(id, fresh)
    : foldEvents(before.state, fresh, rules.book)
  const produced = fresh.flatMap(({ record }, i) => emissionOf(record.offset, outcomes[i]))
  const answered = outbox.filter(({ offset }) => events.some(({ record }) => record.offset === offset))
  const last = fresh.at(-1)?.record.offset
  return {
    emissions: [...answered, ...produced],
    outcomes,
    passedOver: events.length - fresh.length - answered.length,
    write:
      last === undefined || !state
        ? undefined
        : writeOf(id, stored, state, last, [...outbox, ...produced], rules),
  }
}

function foldEvents(initial: SessionState | undefined, events: readonly SessionEvent[], book: RuleBook) {
  const outcomes: Outcome[] = []
  let state = initial
  for (const { record, event } of events) {
    const outcome = advanceSafely(state, { event, timeMs: record.timeMs }, book)
    outcomes.push(outcome)
    state = outcome.state
  }
  return { state, outcomes }
}

/** The engine is total; should it fail all the same, the event is refused and the partition goes on. */
function advanceSafely(state: SessionState | undefined, input: LoggedEvent, book: RuleBook): Outcome {
  try {
    return advance(state, input, book)
  } catch (error) {
    return refuse(state, input, {
      code: 'engine_failed',
      message: `the engine failed on this event: ${String(error).slice(0, 200)}`,
    })
  }
}

/** A record that cannot be read is not written over: a session never starts again at safe. */
function refuseAll(id: string, events: readonly SessionEvent[]): { state: undefined; outcomes: Outcome[] } {
  const fault = {
    code: 'session_state_lost',
    message: `the record of session \`${id}\` cannot be read`,
  } as const
  return {
    state: undefined,
    outcomes: events.map(({ record, event }) => refuse(undefined, { event, timeMs: record.timeMs }, fault)),
  }
}

function emissionOf(offset: bigint, outcome: Outcome | undefined): Emission[] {
  if (!outcome?.decision && !outcome?.fault) return []
  const { decision, fault } = outcome
  return [
    {
      offset,
      decision: decision && JSON.stringify(decision),
      fault: fault && { code: fault.code, message: fault.message },
    },
  ]
}

function writeOf(
  id: string,
  stored: StoredRecord | undefined,
  state: SessionState,
  offset: bigint,
  emissions: readonly Emission[],
  rules: FoldRules,
): RecordWrite {
  return {
    id,
    expected: stored?.revision ?? 0,
    body: `${offset} ${encodeState(state)}`,
    outbox: encodeOutbox(emissions),
    ttlMs: ttlOf(state, rules),
  }
}

/** An approval may come as late as it was told it may, whatever the idle time. */
function ttlOf(state: SessionState, { idleTtlMs, endedTtlMs }: FoldRules): number {
  if (state.ended) return endedTtlMs
  const waits = state.calls.map((call) => (call.status === 'pending' ? call.expiresAt - state.time : 0))
  return Math.max(idleTtlMs, ...waits)
}

interface Before {
  readonly offset: bigint
  readonly state: SessionState | undefined
  readonly outbox: readonly Emission[]
  readonly isLost: boolean
}

/** The offset, state and outbox of a record. Throws `record_too_new` for one of a newer layout. */
function readRecord(id: string, stored: StoredRecord | undefined): Before {
  if (!stored) return { offset: NO_OFFSET, state: undefined, outbox: [], isLost: false }
  const space = stored.body.indexOf(' ')
  const offset = stored.body.slice(0, space)
  const decoded = decodeState(stored.body.slice(space + 1))
  if (decoded.kind === 'too_new')
    throw new PlimsollError('record_too_new', `the record of session \`${id}\` has layout ${decoded.schema}`)
  const outbox = decodeOutbox(stored.outbox)
  if (decoded.kind === 'invalid' || !outbox || !/^\d+$/.test(offset))
    return { offset: NO_OFFSET, state: undefined, outbox: [], isLost: true }
  return { offset: BigInt(offset), state: decoded.state, outbox, isLost: false }
}
