import type { Level } from '@plimsoll/contracts'
import type {
  AppealCounts,
  AppealRow,
  FleetTotals,
  MetStep,
  PolicyUse,
  ReasonCount,
  SessionNote,
} from '../api.js'
import type { Question, SessionRow, Step } from '../shapes.js'
import type { Change, NextOffset } from './changes.js'

/** The tenants whose sessions are looked at; undefined for all. */
export type Tenants = readonly string[] | undefined

export interface SessionQuery {
  readonly tenants: Tenants
  readonly category?: string | undefined
  readonly agent?: string | undefined
  readonly level?: Level | undefined
}

export interface SessionPart {
  readonly sessions: readonly SessionRow[]
  /** Beyond the limit too. */
  readonly count: number
}

/** A question with what an answer to it must repeat. */
export interface StoredQuestion {
  readonly question: Question
  readonly callId: string
  /** Present if it waits no more. */
  readonly closed: { readonly at: number; readonly by: ClosedBy } | undefined
}

export interface ClosedBy {
  /** The event that was answered: of an approval, or of a deadline. */
  readonly eventId: string
  readonly verdict: Step['verdict']
  /** Undefined for a deadline, and until the event has been read. */
  readonly answer: Step['answer']
}

/** What is deleted; sessions go with their steps, questions and notes. */
export interface RetentionLimits {
  /** Sessions without an event for so long, milliseconds. */
  readonly ageMaxMs: number
  /** Those beyond so many: without an open question first, then of the tenant with the most, the oldest first. */
  readonly sessionsMax: number
  /** The oldest steps of a session beyond so many. */
  readonly stepsOfSessionMax: number
  /** Its oldest notes, and its oldest appeals, beyond so many; those of sessions that are not there go too. */
  readonly notesOfSessionMax: number
  /** Its oldest questions that wait no more, beyond so many. */
  readonly closedOfSessionMax: number
}

/**
 * The port to the database of the read model. Adapter: `libsql/` (SQLite, in a file or in memory). Every adapter passes
 * test/contract/read-store. Methods reject with `store_unavailable` if the database fails. `nowMs` is the log's clock.
 */
export interface ReadStore {
  /** Where reading goes on; empty for a new database. */
  offsets(): Promise<readonly NextOffset[]>
  /** Applies changes in their order and keeps `offsets`, all in one transaction. Changes applied before change nothing. */
  apply(changes: readonly Change[], offsets: readonly NextOffset[]): Promise<Applied>
  /** Deletes everything, offsets too. */
  clear(): Promise<void>
  /** Deletes what exceeds the limits; returns how many sessions. */
  prune(limits: RetentionLimits, nowMs: number): Promise<number>

  /** The `limit` sessions that are most at risk: as the order in `Fleet` says. */
  sessions(query: SessionQuery, limit: number, nowMs: number): Promise<SessionPart>
  totals(query: SessionQuery, nowMs: number): Promise<FleetTotals>
  /** Values that occur, at most `limit` each. */
  facets(tenants: Tenants, limit: number): Promise<Facets>
  /** The sessions of `ids` that there are, in any order. */
  sessionsById(ids: readonly string[], nowMs: number): Promise<readonly SessionRow[]>
  details(sessionId: string): Promise<SessionDetails | undefined>
  /** Other sessions of the same tree. */
  relatives(session: SessionRow, limit: number, nowMs: number): Promise<readonly SessionRow[]>
  /** The last `limit` steps, in the order of their proposals. */
  steps(sessionId: string, limit: number): Promise<readonly Step[]>
  /** The steps of these events, in any order. */
  stepsByEvent(sessionId: string, eventIds: readonly string[]): Promise<readonly Step[]>
  /** The last `limit` notes, oldest first. */
  notes(sessionId: string, limit: number): Promise<readonly SessionNote[]>
  /** Open questions, most at risk first, at most `limit`; of one session if it is given. */
  openQuestions(tenants: Tenants, limit: number, nowMs: number, sessionId?: string): Promise<QuestionPart>
  question(decisionId: string): Promise<StoredQuestion | undefined>
  /** Newest first, at most `limit`. */
  appeals(tenants: Tenants, limit: number): Promise<AppealPart>
  appealCounts(tenants: Tenants): Promise<AppealCounts>
  /** The most frequent first. */
  reasonCounts(tenants: Tenants): Promise<readonly ReasonCount[]>
  policyUses(tenants: Tenants): Promise<readonly PolicyUse[]>
  /** Steps with a reason of this code, or whose reason it lifted: newest first, at most `limit`. */
  met(tenants: Tenants, code: string, limit: number): Promise<MetPart>
  /** Of the decision on a step, in its partition of the decisions topic; undefined where it is not known. */
  decisionOffset(decisionId: string): Promise<number | undefined>

  /** Rejects unless the database answers now. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** What changes have touched. */
export interface Applied {
  readonly sessions: ReadonlySet<string>
  /** Events of steps, by session. */
  readonly steps: ReadonlyMap<string, ReadonlySet<string>>
  /** Decision ids of questions. */
  readonly opened: ReadonlySet<string>
  readonly closed: ReadonlySet<string>
}

export interface QuestionPart {
  readonly questions: readonly Question[]
  /** Beyond the limit too. */
  readonly count: number
}

export interface AppealPart {
  readonly appeals: readonly AppealRow[]
  /** Beyond the limit too. */
  readonly count: number
}

export interface MetPart {
  readonly steps: readonly MetStep[]
  /** Beyond the limit too. */
  readonly count: number
}

export interface Facets {
  readonly tenants: readonly string[]
  readonly categories: readonly string[]
  readonly agents: readonly string[]
}

export interface SessionDetails {
  readonly task: string | undefined
  readonly versions: Step['versions'] | undefined
  /** The category of the chain that its last risk is of. */
  readonly chain: string | undefined
}
