/**
 * What the console's server and its page say to each other: JSON bodies, and the events of `/api/live`. Types only, without imports of
 * code, so that the page can use this file. Times are milliseconds since 1970 on the log's clock. Names of tools, tasks, arguments and
 * reasons come from agents: show them as text, never as markup. Members that are not known are absent.
 *
 * | route | who | answer |
 * |---|---|---|
 * | `POST /api/login` `LoginRequest` | anybody with a token, or a code | 200 `LoggedIn`, and the login's cookie |
 * | `POST /api/logout` | logged in | 204 |
 * | `GET /api/me` | logged in | `Me` |
 * | `GET /api/fleet?tenant&category&agent&level&limit` | viewer | `Fleet` |
 * | `GET /api/sessions/:id` | viewer of its tenant | `SessionPage` |
 * | `GET /api/queue?tenant` | viewer | `Queue` |
 * | `POST /api/approvals/:decisionId` `AnswerRequest` | approver of its tenant | 200 `Answered`; 409, 410 as below |
 * | `GET /api/appeals?tenant` | viewer | `Appeals` |
 * | `POST /api/appeals/:decisionId` `AppealRequest` | approver of its tenant | 200 `Appealed` |
 * | `GET /api/policies?version` | viewer | `Policies` |
 * | `GET /api/met?code&version` | viewer | `Met` |
 * | `GET /api/controls` | viewer; settings of its tenants, and those of the fleet | `Controls` |
 * | `POST /api/controls` `ControlRequest` | operator of the tenant; of every tenant if none is named | 200 `ControlSent` |
 * | `GET /api/live?session` | viewer | server-sent events |
 *
 * Each `POST` needs the header `x-plimsoll-console`, `content-type: application/json` and the page's own origin. Every error has the body
 * `ApiError`: 400 invalid, 401 not logged in, 403 without the role, 404 unknown (or of another tenant), 409 answered by another,
 * 410 expired, 429 too many, 503 the log or the read model is away.
 */
import type { ApprovalScope, Level, Reason, Verdict, Versions } from '@plimsoll/contracts'
import type { AppealCounts, AppealRow } from './appeal-shapes.js'
import type { ControlEntry, ControlScope, ControlSetting } from './control-shapes.js'
import type { MetStep, PolicyDetail, PolicyRow, ReasonCount } from './policy-shapes.js'
import type { ApprovalAnswer, Question, SessionRow, Step, StepAppeal, VerdictCounts } from './shapes.js'

export type * from './appeal-shapes.js'
export type * from './control-shapes.js'
export type * from './policy-shapes.js'
export type * from './shapes.js'

/** Each may do what those before it may. `approver` answers questions; `operator` sets controls; `admin` has no more rights yet. */
export type Role = 'viewer' | 'approver' | 'operator' | 'admin'

/**
 * The header that each `POST` needs: `secret` of `LoggedIn`, or `1` to log in. A form of another site cannot set it, and a server on another
 * port of this host, which gets the cookie, does not know the secret.
 */
export type RequestHeader = 'x-plimsoll-console'

export interface ApiError {
  readonly error: {
    /** Of Plimsoll's error catalogue. */
    readonly code: string
    readonly message: string
    readonly retryable: boolean
    /** Of a 409: the answer that came first, as far as it is known. */
    readonly answered?: ApprovalAnswer
  }
}

/** A user's token; or a code of an address that was printed, which is good for one log-in. */
export type LoginRequest = { readonly token: string } | { readonly code: string }

/** Who is logged in. */
export interface Me {
  /** Recorded as the one who approves. */
  readonly name: string
  /** By tenant; `*` for every other one. */
  readonly roles: Readonly<Record<string, Role>>
  /** When the login ends. */
  readonly expiresAt: number
  /** The server's time now. */
  readonly now: number
  /** False where this console has no signing key: questions are shown, and answered elsewhere. */
  readonly answers: boolean
}

/** The answer to a log-in. */
export interface LoggedIn extends Me {
  /** What the page sends with each `POST`; no other answer has it. A page without it reads, and logs in again to answer. */
  readonly secret: string
}

/** Which tools, or which effects, ask and block. */
export interface AskingRow {
  /** A tool's name; or an effect as `delete path` (act and kind of the object). */
  readonly name: string
  readonly steps: number
  readonly asked: number
  readonly blocked: number
}

/** Over the sessions that the filter lets through, ended ones too, as far back as the read model keeps them. */
export interface FleetTotals {
  readonly sessions: number
  readonly live: number
  readonly steps: number
  readonly verdicts: VerdictCounts
  readonly openQuestions: number
  readonly questionsPer100Sessions: number
  readonly byLevel: Readonly<Partial<Record<Level, number>>>
  /** Over the last 50,000 steps. At most 20 each, those that ask and block most first. */
  readonly byTool: readonly AskingRow[]
  readonly byEffect: readonly AskingRow[]
}

export interface Fleet {
  /** Live ones first; then by open question, violations, level, band and P(h). At most `limit` (default 100, at most 500). */
  readonly sessions: readonly SessionRow[]
  /** Those that the filter lets through, beyond the limit too. */
  readonly count: number
  readonly totals: FleetTotals
  /** For filters: values that occur, of the tenants that you may see. At most 200 each. */
  readonly tenants: readonly string[]
  readonly categories: readonly string[]
  readonly agents: readonly string[]
  /** Records of the log that the read model has not taken in yet. */
  readonly lag: number
  /** Of the bundle of the first session, over all categories. Absent where it is neither registered nor shipped. */
  readonly thresholds?: Thresholds
}

/** The forward thresholds of a session's bundle: P(h) at which bands 1, 2 and 3 begin; and p1 at which to warn, confirm and block. */
export interface Thresholds {
  readonly forward: readonly number[]
  readonly hazard: readonly number[]
}

export interface SessionPage {
  readonly session: SessionRow
  /** Where the client discloses it. */
  readonly task?: string
  /** The documents of its latest decision. */
  readonly versions?: Versions & { readonly engine: string }
  /** Absent where the bundle is neither registered nor shipped. */
  readonly thresholds?: Thresholds
  /** In the order of their proposals. At most the last 1,000. */
  readonly steps: readonly Step[]
  /** Whether there were more steps than `steps` has. */
  readonly isCut: boolean
  /** Sessions of the same tree that you may see, this one left out; at most 200. */
  readonly relatives: readonly SessionRow[]
  readonly questions: readonly Question[]
  /** What people and the monitor did to the session besides its steps, oldest first. At most the last 200. */
  readonly notes: readonly SessionNote[]
}

export interface SessionNote {
  readonly at: number
  /** Type of the event, such as `declassification.granted`; `alert` for an alert of the monitor. */
  readonly type: string
  readonly text: string
}

/** Questions that are alike: the same tool, arguments and reasons, of the same tenant. */
export interface QuestionGroup {
  /** Stays the same while the group has questions. */
  readonly id: string
  /** The first to expire first; never empty. */
  readonly questions: readonly Question[]
  /** The greatest P(h) among them. */
  readonly probability: number
  readonly expiresAt: number
}

export interface Queue {
  /** Ranked: the higher the risk and the less time is left, the earlier. At most 200 groups. */
  readonly groups: readonly QuestionGroup[]
  /** Open questions, beyond the limit too. */
  readonly count: number
  /** The server's time, by which `expiresAt` counts down. */
  readonly now: number
  /** Tenants in which you may answer; `*` for every other one. */
  readonly mayAnswer: readonly string[]
}

export interface AnswerRequest {
  readonly resolution: 'approved' | 'denied'
  /** At most 500 characters, no line breaks. Required for `denied`: the agent gets it. */
  readonly reason?: string
  /** One of the question's. Default: `once`. */
  readonly scope?: ApprovalScope
  /** To approve a step whose arguments are not whole here; else that is refused with `arguments_unseen` (403). */
  readonly unseen?: boolean
}

export interface Answered {
  readonly answer: ApprovalAnswer
  /** The verdict after the answer; absent if no monitor decided in time: the answer may still count. */
  readonly verdict?: Verdict
  /** Of the new decision. */
  readonly reasons?: readonly Reason[]
}

/** What people say of decisions, as far back as the read model keeps their sessions. */
export interface Appeals extends AppealCounts {
  /** Newest first, at most 200. */
  readonly appeals: readonly AppealRow[]
  /** Beyond the limit too. */
  readonly count: number
}

/** The appeal is in the log; no verdict changes. */
export interface Appealed {
  readonly appeal: StepAppeal
}

/** The policies that judge the sessions of your tenants, that are active or in shadow; all registered ones for those who see every tenant. */
export interface Policies {
  /** Active first, then those with the most sessions; at most 100. */
  readonly policies: readonly PolicyRow[]
  /** Of `version`, or of the first of `policies`; absent where its document is not known. */
  readonly shown?: PolicyDetail
  /** What mattered and is no spec of `shown`: built-in checks, and specs of other policies. At most 500. */
  readonly others: readonly ReasonCount[]
}

/** The steps in which a spec or a check mattered. */
export interface Met {
  /** Newest first, at most 100. */
  readonly steps: readonly MetStep[]
  /** Beyond the limit too. */
  readonly count: number
  /** The spec as JSON, on several lines; absent where `version` is not known or has no such spec. */
  readonly spec?: string
}

/** What is in force, as far as you may see it: settings and changes of other tenants are left out. */
export interface Controls {
  /** Why nobody can change anything here, as a sentence; absent if those with the role can. */
  readonly problem?: string
  /** Stops first. */
  readonly settings: readonly ControlSetting[]
  /** Of the events topic: a change counts in each once its monitor has read it. */
  readonly partitions: number
  /** Those in which something else is in force than most have, which `settings` shows. */
  readonly differing: readonly number[]
  /** Those without the latest change, and why if they refused it. */
  readonly stragglers: readonly { readonly partition: number; readonly refused?: string }[]
  /** Newest first, at most the last 100. */
  readonly history: readonly ControlEntry[]
}

export interface ControlRequest extends ControlScope {
  readonly action: 'observe' | 'enforce' | 'inherit' | 'stop' | 'resume'
  /** At most 500 characters, no line breaks. Required: it is recorded, and agents get that of a stop. */
  readonly reason: string
}

/** A change is in the log now, and counts in each partition from its place on. */
export interface ControlSent {
  readonly entry: ControlEntry
  readonly partitions: number
  /** Partitions in which it counts. */
  readonly applied: number
  /** Partitions whose monitors have not read it in time: it counts once they do. */
  readonly silent: number
  /** Monitors that run; absent unless partitions are silent. */
  readonly monitors?: number
  /** Partitions that refused it; the earlier settings stay there. */
  readonly refused: readonly { readonly partition: number; readonly code: string; readonly message: string }[]
}

/**
 * Events of `/api/live`, by name; `data` is JSON. Each but `hello` has an id, which the browser repeats in `Last-Event-ID` to resume. With
 * `?session=ID` only those of that session are sent.
 *
 * - `hello` `LiveHello`: first. If `isGap`, events may have been missed: fetch everything again.
 * - `session` `SessionRow`: a session that began or changed.
 * - `step` `LiveStep`: a step that was decided, answered or completed.
 * - `question` `Question`: a new question.
 * - `answered` `LiveAnswered`: a question that is open no more.
 * - `controls` `{}`: controls were changed, perhaps those of a tenant that you do not see: fetch them again.
 *
 * A user has at most 20 streams, a console 500. A comment is sent every 15 s. A client that does not read is cut off after 1,000 waiting events: it reconnects and gets `isGap`.
 */
export interface LiveEvents {
  readonly hello: LiveHello
  readonly session: SessionRow
  readonly step: LiveStep
  readonly question: Question
  readonly answered: LiveAnswered
  readonly controls: Readonly<Record<string, never>>
}

export interface LiveHello {
  readonly isGap: boolean
  readonly now: number
}

export interface LiveStep {
  readonly sessionId: string
  readonly tenant: string
  readonly step: Step
}

export interface LiveAnswered {
  readonly decisionId: string
  readonly sessionId: string
  /** Absent where it expired, or where the answer's event has not arrived yet. */
  readonly answer?: ApprovalAnswer
  readonly verdict?: Verdict
}
