import type { EventOf } from '@plimsoll/contracts'

/** Caps of a client over a log; each can be set. */
export interface ClientLimits {
  /** Events that may wait to be sent. Completions and ends are taken beyond it, up to as many again. */
  readonly queueEventsMax: number
  /** Sessions open at a time. */
  readonly sessionsMax: number
  /**
   * How long a session may go unused, milliseconds. Beyond it, it is let go when a start finds no room, and anyone who waits for its
   * answers is answered by the fail mode: longer than any approval may take.
   */
  readonly idleMs: number
  /** Proposals that may wait for their decision at a time. */
  readonly openProposalsMax: number
  /** How long `close` may go on sending, milliseconds. */
  readonly closeMsMax: number
}

export const CLIENT_LIMITS: ClientLimits = {
  queueEventsMax: 10_000,
  sessionsMax: 10_000,
  idleMs: 24 * 3_600_000,
  openProposalsMax: 10_000,
  closeMsMax: 5_000,
}

/** One produce holds no more than this. Characters, of which UTF-8 makes 3 bytes at most: brokers take 1 MB by default. */
export const BATCH_EVENTS_MAX = 500
export const BATCH_CHARS_MAX = 256 * 1024

/** Events of a session in one produce: no more than the monitor knows again when the produce is sent a second time. */
export const BATCH_SESSION_EVENTS_MAX = 16

/** Bounds of the wait before a failed produce is tried again: the first, and every. */
export const RETRY = { firstMs: 50, maxMs: 5_000 } as const

/** Events of a session kept until a decision shows that the monitor has them. */
export const HISTORY_EVENTS_MAX = 64

/** Times in a row that a session's gap is answered by sending again; then the refusal is the answer. */
export const HEALS_MAX = 3

/** Steps that ran without a verdict and are still to be told; beyond it the fail mode closes. */
export const JOURNAL_STEPS_MAX = 256

/** Steps told with one proposal: the event schema's own cap. */
export const UNANSWERED_MAX = 16

/** Proposals given up that a late decision is still recognised for, a session. */
export const ABANDONED_MAX = 64

/** Decision ids by which duplicates are known, a client. */
export const RECENT_DECISIONS_MAX = 4_096

/** A step that ran, or may have run, without a verdict. */
export type JournalledStep = NonNullable<EventOf<'step.proposed'>['withoutVerdict']>[number]

/** The steps of a session that ran without a verdict and that the monitor has not been told of. In the order in which they ran. */
export interface Journal {
  isFull(): boolean
  add(step: JournalledStep): void
  /** The first ones, as many as a proposal can tell; undefined where there are none. They stay until `drop`. */
  first(): JournalledStep[] | undefined
  drop(count: number): void
  find(callId: string): JournalledStep | undefined
  /** Takes out the step of `callId`: it is told in another way. */
  remove(callId: string): void
  takeAll(): readonly JournalledStep[]
}

export function createJournal(): Journal {
  let steps: JournalledStep[] = []
  return {
    isFull: () => steps.length >= JOURNAL_STEPS_MAX,
    add: (step) => void steps.push(step),
    first: () => (steps.length === 0 ? undefined : steps.slice(0, UNANSWERED_MAX)),
    drop: (count) => void steps.splice(0, count),
    find: (callId) => steps.find((step) => step.callId === callId),
    remove: (callId) => {
      steps = steps.filter((step) => step.callId !== callId)
    },
    takeAll: () => {
      const all = steps
      steps = []
      return all
    },
  }
}
