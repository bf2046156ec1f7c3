import {
  type ClaimedLabels,
  type Confidentiality,
  type Decision,
  type Evidence,
  type Handover,
  type Inherits,
  type Signals,
  type Taint,
  type TraceContext,
  type Verdict,
  CAPABILITIES,
  CONFIDENTIALITIES,
  PlimsollError,
  REVERSIBILITIES,
  TAINTS,
  TRUSTS,
  handoverSchema,
} from '@plimsoll/contracts'

/**
 * What an agent's host holds: it starts sessions and closes. `createGuard` (the engine in this process) and `createClient` (over
 * an event log) both give one.
 */
export interface PlimsollClient {
  /**
   * Starts a session. Rejects with `queue_full` where as many sessions or events wait as may, `session_already_started` where
   * the id is in use, `schema_invalid` or `closed`.
   */
  startSession(options?: SessionOptions): Promise<Session>
  /**
   * Goes on with a session that another client or process began, or this one and lost. What it has read is not known here: to those that it
   * delegates to it counts as the worst. Calls that are open there are none of this session's. A session that is open here comes back as it
   * is. Rejects as `startSession` does, with `identity_invalid` for a token that is not the session's, and in library mode, where nobody
   * else has its state, with `session_state_lost`.
   */
  resumeSession(resumed: ResumedSession): Promise<Session>
  /** Counts since the client was made. */
  stats(): ClientStats
  /** Sends what is queued and lets go. Open proposals are answered by the fail mode. Harmless a second time. */
  close(): Promise<void>
}

export interface SessionOptions {
  /** Chosen at random where it is left out. Never used before. */
  readonly id?: string
  readonly category?: string
  readonly agent?: string
  /** Whom the agent works for, as its host knows him, at most 200 characters; travels in the session's token alone. */
  readonly user?: string
  /** The task's text. It stays here: where the client has a key, fingerprints of its distinctive values and words travel. */
  readonly task?: string
  /** Whether the task's text travels too, at most 8,192 characters; it does not where it is left out. */
  readonly sendTask?: boolean
  /**
   * Anyone who delegates to the session, or what its `handover` gave in another process: the session starts no safer than that, and where both
   * clients have one key, it knows the values that its parent has read when they turn up in its own steps.
   */
  readonly parent?: Relative
  /**
   * What earlier sessions of the same agent and user knew, where beginning again is not to forget it: the session starts no safer than
   * that. Nobody has delegated to it for that.
   */
  readonly earlier?: Relative
}

/** A session to go on with. */
export interface ResumedSession {
  readonly id: string
  /** The session's token (`handover().identity`). Its signature is checked where the client has an identity key. */
  readonly token?: string
  /** Of a session that was delegated to: the id of its root. That of the token where it is left out, else the session itself. */
  readonly root?: string
}

/**
 * One run of one agent. Proposals of a session are decided in the order in which they are made. Every method rejects with
 * `schema_invalid` for what no event can hold, `session_ended` after `end` or once it was let go as idle, and `closed` after the client's `close`.
 */
export interface Session {
  readonly id: string
  /**
   * Reports what the user says after the task: from the next proposal on it counts as the task does. Call it with the user's own words and
   * with nothing that an agent or a tool wrote: what it names may be sent to, and what it asks for may run. The text stays here as the
   * task's does (`sendTask`). In a session that was delegated or goes on from others, only what the session has not read counts; a
   * gateway drops it from principals that are agents. Rejects with `queue_full`: it has not been reported then.
   *
   * @example
   * await session.instruct('Yes, send it to ada@example.com as well')
   */
  instruct(text: string): Promise<void>
  /**
   * Asks before a step runs. Never rejects for want of a verdict: when none comes in time, the fail mode of the tool's capability
   * answers, is counted, and the step is told with the next proposal. Rejects with the signal's reason when it aborts: that step
   * must not run.
   */
  propose(step: ProposedStep, options?: WaitOptions): Promise<Answer>
  /**
   * Waits until the human asked by a `confirm` has answered, or it expired (`block`). Other answers, and those that may run, come back as they are, and so
   * does the `confirm` itself when `timeoutMs` is over first: wait again. Rejects with the signal's reason when it aborts, and with
   * `approval_unknown` for an answer that is not of this session.
   */
  resolution(answer: Answer, options?: WaitOptions): Promise<Answer>
  /**
   * Asks, and waits for what the answer says to wait for: a human's answer, and calls that must be over before the step is proposed
   * again, or that are as many as a session may have open. What comes back is final, but for a `confirm` that `approvalMs` was too short for. Rejects as `propose` does.
   */
  ask(step: ProposedStep, options?: AskOptions): Promise<Answer>
  /**
   * Asks as `ask` does, runs the step where it may run, tells what came of it, and gives what `execute` gave. `execute` gets a frozen copy
   * of the arguments, the very ones that were asked about. Rejects with `StepBlocked` (`step_blocked`, with the answer) where the step
   * may not run, with what `execute` throws, and as `propose` does. That a step cannot be told of any more, once it has run, is counted
   * (`unreported`) and takes nothing from its caller: the monitor counts it as its declared worst.
   *
   * @example
   * const mail = { tool: 'send_email', arguments: { to: 'ann@example.com', body: 'Hello' } }
   * const sent = await session.run(mail, ({ to, body }) => send(String(to), String(body)))
   */
  run<T>(step: ProposedStep, execute: Execute<T>, options?: RunOptions<T>): Promise<T>
  /** Tells that a step ran, and what its result was seen to be. Rejects with `queue_full`: the step has not been told then. */
  complete(answer: Answer, result?: StepResult): Promise<void>
  /**
   * What the session knows by now, for a session that it delegates to and, once that has answered, for `complete` of the step that
   * delegated. Plain data; also after `end`.
   *
   * @example
   * const asked = await session.propose({ tool: 'delegate', arguments: { task } })
   * const child = await client.startSession({ task, parent: session })
   * // … the sub-agent's steps, each proposed to `child`
   * await child.end('completed')
   * await session.complete(asked, { result: answer, child })
   */
  handover(): Handover
  /** Ends the session and forgets it. Harmless a second time. */
  end(outcome?: 'completed' | 'failed' | 'cancelled'): Promise<void>
}

export interface ProposedStep {
  readonly tool: string
  /** What the tool's server says of it; its words help to tell whether the task asks for it. Stays here. */
  readonly description?: string
  /** Stay here but for those that the client discloses: their digest travels and, where the client has a key, fingerprints of their distinctive values. */
  readonly arguments?: Readonly<Record<string, unknown>>
  /** The framework's id of the call, one for each attempt; chosen at random where it is left out. */
  readonly callId?: string
  /** Can only raise what the catalogue says. */
  readonly labels?: ClaimedLabels
  /** A session that may have told this one something meanwhile: whatever it knows counts as known before the step is judged. */
  readonly relative?: Relative
  /** Of the trace that the step belongs to; that of OpenTelemetry's active span where it is left out. Travels with the step's event and comes back with its decision. */
  readonly trace?: TraceContext | undefined
  /** Whether sensitive data that the session has read is in the arguments; `unknown` where it is left out. */
  readonly evidence?: Evidence
}

export interface WaitOptions {
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** `timeoutMs` is how long each proposal waits for its verdict; `signal` ends every wait. */
export interface AskOptions extends WaitOptions {
  /** How long a human may take, milliseconds; as long as the policy gives where it is left out, and not at all at 0. */
  readonly approvalMs?: number | undefined
  /** Told of each answer that asks a human, before it is waited for. Its errors become process warnings. */
  readonly onConfirm?: ((asked: Answer) => void) | undefined
  /** How long calls may take that must be over first, or that are too many beside the step, milliseconds, all in all; 60,000 where it is left out. */
  readonly prerequisitesMs?: number | undefined
}

export interface RunOptions<T> extends AskOptions {
  /** What is known of a result besides itself; `result` in place of the whole value where only that is to be seen. */
  readonly report?: ((value: T) => StepResult) | undefined
}

/** Does a step: the tool's own work. */
export type Execute<T> = (values: Readonly<Record<string, unknown>>, running: Running) => T | Promise<T>

export interface Running {
  /** The answer that let the step run. */
  readonly answer: Answer
  readonly signal: AbortSignal | undefined
}

export interface StepResult {
  readonly outcome?: 'ok' | 'error'
  /**
   * What the step returned, a string or any JSON value. It stays here: where the client has a key, what it was seen to be and
   * fingerprints of its distinctive values travel.
   */
  readonly result?: unknown
  /**
   * Whether `result` is surely all that came back; true where it is left out. Of what may hold more than is told nobody can say later that a step
   * carries none of it.
   */
  readonly isWhole?: boolean | undefined
  /** The arguments that ran, from anyone who knows them: where they are not those that were asked about, the call counts as one without a verdict. */
  readonly arguments?: Readonly<Record<string, unknown>> | undefined
  readonly labels?: ClaimedLabels
  readonly taint?: Taint
  /** The session that did the step, where it was delegated: whatever it knows this session may know. */
  readonly child?: Relative
}

/** What to do with a step. */
export interface Answer {
  readonly callId: string
  readonly tool: string
  readonly verdict: Verdict
  /** Whether the step may run now: allow or warn, and whatever the verdict where the session is observed. */
  readonly mayRun: boolean
  /** Who said so: a decision, the fail mode for want of one, or nobody, for the client only observes. */
  readonly by: 'decision' | 'fail_open' | 'fail_closed' | 'observe'
  /** The decision, or the one that asked where nobody answered it. */
  readonly decision?: Decision
}

export interface ClientStats {
  /** Proposals made, aborted ones too. */
  readonly proposed: number
  /** Proposals answered by a decision. */
  readonly decided: number
  /** Proposals let run at once, for the client only observes. */
  readonly observed: number
  /** Proposals answered by the fail mode. */
  readonly failedOpen: number
  readonly failedClosed: number
  /** Confirmations that nobody answered in time. */
  readonly expired: number
  /** Decisions that came after the fail mode, an abort or an expiry had answered. */
  readonly late: number
  /** Decisions that had come before. */
  readonly duplicates: number
  /** Records of the decisions topic that cannot be read. */
  readonly undecodable: number
  /** Produces that failed and were tried again. */
  readonly retried: number
  /** Events sent a second time to heal a gap. */
  readonly resent: number
  /** Steps of `run` whose completion could not be told any more. */
  readonly unreported: number
  /** Events that are queued or under way. */
  readonly queued: number
}

/** Tags of one claim: the label schema's own cap. */
const TAGS_MAX = 16

/** What both claims say: of each label the higher. `none` is left out, which says the same and is known to monitors of before it. */
export function raiseClaims(
  a: ClaimedLabels | undefined,
  b: ClaimedLabels | undefined,
): ClaimedLabels | undefined {
  if (!a || !b) return withoutNone(a ?? b)
  const tags = joined(a.tags ?? [], b.tags ?? [])
  return {
    capability: higher(CAPABILITIES, a.capability, b.capability),
    confidentiality: raiseConfidentiality(confidentialityOf(a), confidentialityOf(b)),
    trust: higher(TRUSTS, a.trust, b.trust),
    reversibility: higher(REVERSIBILITIES, a.reversibility, b.reversibility),
    ...(tags.length > 0 && { tags }),
  }
}

function withoutNone(labels: ClaimedLabels | undefined): ClaimedLabels | undefined {
  if (labels?.confidentiality !== 'none') return labels
  const { confidentiality: _, ...rest } = labels
  return rest
}

/** A list that holds too many is to be refused, not cut. */
function joined(a: readonly string[], b: readonly string[]): string[] {
  const tooLong = [a, b].find(({ length }) => length > TAGS_MAX)
  return tooLong ? [...tooLong] : [...new Set([...a, ...b])].slice(0, TAGS_MAX)
}

/** The later of the two in `order`; one that is left out is the lowest. */
function higher<T>(order: readonly T[], a: T | undefined, b: T | undefined): T | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return order.indexOf(a) >= order.indexOf(b) ? a : b
}

/** What both say that a result has done to its session: the higher. */
export const raiseTaint = (a: Taint | undefined, b: Taint | undefined): Taint | undefined =>
  higher(TAINTS, a, b)

/** The more confidential of the two. */
export const raiseConfidentiality = (
  a: Confidentiality | undefined,
  b: Confidentiality | undefined,
): Confidentiality | undefined => higher(CONFIDENTIALITIES, a, b)

/** Undefined for `none` too. */
export const confidentialityOf = (labels: ClaimedLabels | undefined): Confidentiality | undefined =>
  labels?.confidentiality === 'none' ? undefined : labels?.confidentiality

/** Reasons told in one sentence: the rest is in the decision. */
const REASONS_MAX = 5

/** Why a step must not run, and what would do instead where that is known, in words for the model that proposed it. */
export function explain(answer: Answer): string {
  const { alternative } = answer.decision ?? {}
  const instead = alternative === undefined ? '' : `; instead: ${alternative}`
  return `\`${answer.tool}\` ${statusOf(answer)}${instead}`
}

/** What `run` rejects with where the step may not run. */
export class StepBlocked extends PlimsollError {
  /** Also in `details`. */
  readonly answer: Answer

  constructor(answer: Answer) {
    super('step_blocked', explain(answer), { details: { answer } })
    this.answer = answer
  }
}

function statusOf({ by, verdict, decision }: Answer): string {
  if (by === 'fail_closed')
    return `was not run: ${decision ? 'it was not approved in time' : 'no verdict came'}`
  const reasons = (decision?.reasons ?? []).filter(
    (reason) => reason.liftedBy === undefined && reason.verdict === verdict,
  )
  const reported = [...new Set(reasons.map(({ message }) => message))].slice(0, REASONS_MAX).join('; ')
  const what = verdict === 'confirm' ? 'waits for approval' : 'was blocked'
  return reported === '' ? what : `${what}: ${reported}`
}

/** A session, or what its `handover` gave. */
export type Relative = Pick<Session, 'handover'> | Handover

/** Throws `schema_invalid` for what no session has handed over. */
export function handoverOf(relative: Relative): Handover {
  if ('handover' in relative) return relative.handover()
  const { data, error } = handoverSchema.safeParse(relative)
  if (data) return data
  const problems = error.issues.map(({ path, message }) => `${path.join('.') || 'all'}: ${message}`)
  throw new PlimsollError('schema_invalid', `\`handover\`: ${problems.join('; ')}`)
}

/** What `handover` says to a client whose key of the root session is `key`: fingerprints under another would match nothing. */
export function readable({ inherits, key: itsKey }: Handover, key: string | undefined): Inherits {
  if (itsKey === key) return inherits
  const { confidentiality, unseen, fingerprints = {} } = inherits
  const { untrusted, instructed, sensitive } = fingerprints
  const read: Taint = hasAny(instructed) ? 'instructions' : hasAny(untrusted) ? 'data' : 'none'
  return {
    taint: raiseTaint(inherits.taint, read),
    confidentiality,
    unseen: unseen === true || hasAny(sensitive),
    held: inherits.held === true,
    codeWritten: inherits.codeWritten === true,
  }
}

const hasAny = (list: readonly string[] | undefined): boolean => list !== undefined && list.length > 0

/** `inherits` without the fingerprints that the user's task has: his naming them counts for everybody who works for him. */
export function withoutNamed(inherits: Inherits, task: readonly string[]): Inherits {
  const { fingerprints } = inherits
  if (!fingerprints || task.length === 0) return inherits
  const named = new Set(task.map(bitsOf))
  const unnamed = (list: readonly string[] | undefined) => list?.filter((each) => !named.has(bitsOf(each)))
  const { untrusted, instructed, sensitive } = fingerprints
  const isAllNamed = hasAny(sensitive) && !hasAny(unnamed(sensitive))
  return {
    ...inherits,
    // Of a list that is left empty nobody could tell that all of it is known.
    fingerprints: {
      untrusted: unnamed(untrusted),
      instructed: unnamed(instructed),
      sensitive: isAllNamed ? sensitive : unnamed(sensitive),
    },
  }
}

/** Equal values have equal bits whatever the letter of their kind. */
export const bitsOf = (fingerprint: string): string => fingerprint.slice(1)

/** Of each signal the most. */
export function mostOf(a: Signals | undefined, b: Signals | undefined): Signals | undefined {
  if (!a || !b) return a ?? b
  const most: Record<string, number> = { ...a }
  for (const [name, value] of Object.entries(b)) most[name] = Math.max(most[name] ?? 0, value)
  return most
}
