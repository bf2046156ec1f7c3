import {
  type ApprovalScope,
  type ClaimedLabels,
  type Evidence,
  type Handover,
  type Taint,
  type TraceContext,
  type World,
  parseWorld,
} from '@plimsoll/contracts'
import type { Answer } from './answer.js'
import { type OptionNames, assertOptions } from './options.js'

/** Starts and closes sessions. `createGuard` (the engine in this process) and `createClient` (over an event log) both return one. */
export interface PlimsollClient {
  /**
   * Starts a session. Rejects with `queue_full` when as many sessions are open or events queued as allowed, with
   * `session_already_started` when the id was used before (in library mode also after its end, for the latest 10,000 sessions; else the
   * monitors refuse it), with `schema_invalid` or `closed`.
   */
  startSession(options?: SessionOptions): Promise<Session>
  /**
   * Continues a session that another process started, or that this one lost. Its past is unknown here, so sessions that it delegates to
   * inherit the worst. Calls that are open elsewhere are not open here. A session that is open here is returned as it is. Rejects as
   * `startSession` does, with `identity_invalid` for a token of another session, and in library mode with `session_state_lost`.
   */
  resumeSession(resumed: ResumedSession): Promise<Session>
  /** Counts since the client was created. */
  stats(): ClientStats
  /** Sends queued events and closes. The fail mode answers open proposals. Safe to call twice. */
  close(): Promise<void>
}

export interface SessionOptions {
  /** Random by default. Must never have been used before. */
  readonly id?: string
  readonly category?: string
  readonly agent?: string
  /** The user that the agent works for, at most 200 characters. Sent in the session's token only. */
  readonly user?: string
  /** The task's text. It stays in this process: with a key, fingerprints of its distinctive values and words are sent. */
  readonly task?: string
  /** Whether to send the task's text too, at most 8,192 characters. Default: false. */
  readonly sendTask?: boolean
  /**
   * The session that delegates to this one, or its `handover` from another process. The session starts no safer than its parent. If both
   * clients have the same key, it recognises values that its parent has read.
   */
  readonly parent?: Relative
  /**
   * Names of all tools that the agent can use, or a function that returns them as they are now. They stay in this process; an instruction
   * in a result that calls for none of them is less of a risk. Default: those that an adapter reports (`addTools`), else unknown, which
   * counts as the worst.
   */
  readonly tools?: readonly string[] | (() => readonly string[] | undefined)
  /** What earlier sessions of the same agent and user know. The session starts no safer, but is not delegated. */
  readonly earlier?: Relative
  /**
   * Where the programs of this session's agent run; its members replace those of the catalogue's `world`. It is believed. A gateway
   * accepts it from hosts only. Default: the catalogue's.
   */
  readonly world?: World
  /**
   * The folder in which its programs and file tools work, absolute, if that is on this machine: then a question about a deletion says what it
   * takes (count, size, first names, how much Git has), `mkdir -p` makes a folder own only if it was not there, what is in the latest commit as it
   * is may be deleted without a question. Files are read; nothing is sent. Default: unknown.
   */
  readonly localFolder?: string
}

const SESSION_OPTIONS: OptionNames<SessionOptions> = {
  id: true,
  category: true,
  agent: true,
  user: true,
  task: true,
  sendTask: true,
  parent: true,
  tools: true,
  earlier: true,
  world: true,
  localFolder: true,
}

/** Throws `schema_invalid` for an option that `startSession` does not have, and for a world that is none. */
export function assertSessionOptions(options: SessionOptions): void {
  assertOptions('startSession', options, SESSION_OPTIONS, {
    code: 'schema_invalid',
    instead: { sessionId: 'id' },
  })
  if (options.world !== undefined) parseWorld(options.world)
}

export interface ResumedSession {
  readonly id: string
  /** The session's token (`handover().identity`). Verified if the client has an identity key. */
  readonly token?: string
  /** Id of the root session if this one was delegated. Default: the token's root, else the session itself. */
  readonly root?: string
  /** As at the start: it is not known from there. */
  readonly world?: World
}

/**
 * One run of one agent. Proposals are decided in the order they are made. Every method rejects with `schema_invalid` for values that no
 * event can hold, with `session_ended` after `end` or after the session was dropped as idle, and with `closed` after the client's `close`.
 */
export interface Session {
  readonly id: string
  /**
   * Reports what the user says after the task. From the next proposal on it counts like the task. Pass the user's own words only, never
   * text of an agent or a tool: values named here may be sent to, and actions requested here may run. The text stays here as the task's
   * does (`sendTask`). In a delegated or continued session, only values that the session has not read count. A gateway drops
   * instructions from agents. Rejects with `queue_full`; it was not reported then.
   *
   * @example
   * await session.instruct('Yes, send it to ada@example.com as well')
   */
  instruct(text: string): Promise<void>
  /**
   * Requests a verdict before a step runs. Does not reject for lack of a verdict: after the timeout the fail mode of the tool's
   * capability answers, is counted, and the step is reported with the next proposal. Rejects with the signal's reason when it aborts; the
   * step must not run then.
   */
  propose(step: ProposedStep, options?: WaitOptions): Promise<Answer>
  /**
   * Waits until a human has answered a `confirm`, or it has expired (`block`). Returns other answers unchanged. Returns the `confirm`
   * itself when `timeoutMs` passes first: wait again. Rejects with the signal's reason when it aborts, and with `approval_unknown` for an
   * answer of another session.
   */
  resolution(answer: Answer, options?: WaitOptions): Promise<Answer>
  /**
   * Proposes a step and waits for what its answer waits for: calls that must be over first, room for another open call, and a human as
   * `onConfirm` and `approvalMs` say. The returned answer is final, except a `confirm`: ask again once a human has approved it. A step
   * that already waits for approval is not proposed again. Rejects as `propose` does.
   */
  ask(step: ProposedStep, options?: AskOptions): Promise<Answer>
  /**
   * Asks as `ask` does, runs the step if it may run, reports the result and returns it. `execute` gets a frozen copy of the arguments
   * that were proposed. Rejects with `StepBlocked` (`step_blocked`, with the answer) if the step may not run, with what `execute` throws,
   * and as `propose` does. If the completion cannot be reported, it is counted (`unreported`) and the result is still returned; the
   * monitor then assumes the worst of the step's labels.
   *
   * @example
   * const mail = { tool: 'send_email', arguments: { to: 'ann@example.com', body: 'Hello' } }
   * const sent = await session.run(mail, ({ to, body }) => send(String(to), String(body)))
   */
  run<T>(step: ProposedStep, execute: Execute<T>, options?: RunOptions<T>): Promise<T>
  /** Reports that a step ran, with its result. Rejects with `queue_full`; it was not reported then. */
  complete(answer: Answer, result?: StepResult): Promise<void>
  /**
   * Adds names of tools that the agent can use to those of `startSession({ tools })`, which then need no list. Adapters call it where
   * their framework knows the tools.
   */
  addTools(names: Iterable<string>): void
  /**
   * What the session knows now: for a session that it delegates to, and afterwards for `complete` of the step that delegated. Plain data,
   * available after `end` too.
   *
   * @example
   * const asked = await session.propose({ tool: 'delegate', arguments: { task } })
   * const child = await client.startSession({ task, parent: session })
   * // … the sub-agent's steps, each proposed to `child`
   * await child.end('completed')
   * await session.complete(asked, { result: answer, child })
   */
  handover(): Handover
  /** Ends the session. Safe to call twice. */
  end(outcome?: 'completed' | 'failed' | 'cancelled'): Promise<void>
}

export interface ProposedStep {
  readonly tool: string
  /** The tool's description by its server. Helps to decide whether the task asks for it. Stays in this process. */
  readonly description?: string
  /** Whether the tool runs elsewhere than the agent's programs, as on an MCP server: the session's world says nothing of it. Default: false. */
  readonly isRemote?: boolean
  /** The folder of this machine in which it runs, absolute. Default: the session's. */
  readonly localFolder?: string | undefined
  /** Stay in this process except those that the client discloses. Their digest is sent and, with a key, fingerprints of distinctive values. */
  readonly arguments?: Readonly<Record<string, unknown>>
  /** The framework's id of the call, unique for each attempt. Random by default. */
  readonly callId?: string
  /** Can only raise the catalogue's labels. */
  readonly labels?: ClaimedLabels
  /** A session that may have influenced this one since its start. Its state counts before the step is judged. */
  readonly relative?: Relative
  /** The trace of the step; by default that of OpenTelemetry's active span. Sent with the event and returned with its decision. */
  readonly trace?: TraceContext | undefined
  /** Whether the arguments contain sensitive data that the session has read. Default: `unknown`. */
  readonly evidence?: Evidence
}

export interface WaitOptions {
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** `timeoutMs` bounds the wait for each verdict; `signal` ends every wait. */
export interface AskOptions extends WaitOptions {
  /** Asks a human about a step that needs one. Default: the guard's; over a gateway or Kafka none. */
  readonly onConfirm?: OnConfirm | undefined
  /**
   * How long to wait for a human who answers elsewhere, milliseconds. Default: 0, so that the agent learns at once that the step waits.
   * The request stays open: once it is approved, the same step (tool and arguments, in the same session) runs when it is asked again.
   */
  readonly approvalMs?: number | undefined
  /** How long to wait in total for calls that must be over first, or for room, milliseconds. Default: 60,000. */
  readonly prerequisitesMs?: number | undefined
}

/**
 * Asks a human about a step that waits for approval, and returns what they say. `ask` and `run` wait for it until the request expires or
 * the signal aborts. In a guard the reply counts; over a gateway or Kafka, where approvals are signed, this is only a notice. Without a
 * reply the step waits for an answer from elsewhere, for `approvalMs`. Errors become process warnings and are no reply.
 *
 * @example
 * const guard = await createGuard({ onConfirm: async ({ tool }) => ((await ask(`Run ${tool}?`)) ? 'approved' : 'denied') })
 */
export type OnConfirm = (asked: Answer) => ConfirmReply | Promise<ConfirmReply>

export type ConfirmReply = Approval['resolution'] | Approval | undefined | void

/** A human's answer to a `confirm`. */
export interface Approval {
  readonly resolution: 'approved' | 'denied'
  /** The human, 1–200 characters. */
  readonly by: string
  readonly reason?: string
  /** `session`: like steps of the session run too, if the decision permits it (`approval.scopes`). Default: `once`. */
  readonly scope?: ApprovalScope
}

export interface RunOptions<T> extends AskOptions {
  /** What to report of a result besides the value itself; set `result` to report only a part of it. */
  readonly report?: ((value: T) => StepResult) | undefined
}

/** The tool's own work. */
export type Execute<T> = (values: Readonly<Record<string, unknown>>, running: Running) => T | Promise<T>

export interface Running {
  /** The answer that allowed the step. */
  readonly answer: Answer
  readonly signal: AbortSignal | undefined
}

export interface StepResult {
  readonly outcome?: 'ok' | 'error'
  /** What the step returned, a string or any JSON value. Stays in this process: with a key, labels and fingerprints of it are sent. */
  readonly result?: unknown
  /**
   * Whether `result` is everything that came back. Default: true. If it may be only a part, no later step can be shown to be free of the
   * rest.
   */
  readonly isWhole?: boolean | undefined
  /** The arguments that ran, if known. If they differ from the proposed ones, the call counts as run without a verdict. */
  readonly arguments?: Readonly<Record<string, unknown>> | undefined
  readonly labels?: ClaimedLabels
  readonly taint?: Taint
  /** The session that ran a delegated step: this session inherits its state. */
  readonly child?: Relative
}

export interface ClientStats {
  /** Proposals made, including aborted ones. */
  readonly proposed: number
  /** Proposals answered by a decision. */
  readonly decided: number
  /** Proposals that ran at once because the client only observes. */
  readonly observed: number
  /** Proposals answered by the fail mode. */
  readonly failedOpen: number
  readonly failedClosed: number
  /** Approval requests that expired. */
  readonly expired: number
  /** Decisions that arrived after the fail mode, an abort or an expiry. */
  readonly late: number
  /** Decisions received before. */
  readonly duplicates: number
  /** Records of the decisions topic that could not be decoded. */
  readonly undecodable: number
  /** Retries of failed produces. */
  readonly retried: number
  /** Events sent again to fill a gap. */
  readonly resent: number
  /** Steps of `run` whose completion could not be reported. */
  readonly unreported: number
  /** Steps with the worst labels because a reader of their arguments threw; the first is a process warning too. */
  readonly readerErrors: number
  /** Events queued or in flight. */
  readonly queued: number
}

/** A session, or its `handover`. */
export type Relative = Pick<Session, 'handover'> | Handover
