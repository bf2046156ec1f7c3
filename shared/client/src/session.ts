import type { ClaimedLabels, Decision, Evidence, Taint, Verdict } from '@plimsoll/contracts'

/**
 * What an agent's host holds: it starts sessions and closes. `createGuard` (the engine in this process) and `createClient` (over
 * Kafka) both give one.
 */
export interface PlimsollClient {
  /** Starts a session. Rejects with `queue_full` or `closed`. */
  startSession(options?: SessionOptions): Promise<Session>
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
  /** The task's text, where its owner opted in. */
  readonly task?: string
}

/** One run of one agent. Proposals of a session are decided in the order in which they are made. */
export interface Session {
  readonly id: string
  /**
   * Asks before a step runs. Never rejects for want of a verdict: when none comes in time, the fail mode of the tool's capability
   * answers, is counted, and the step is told with the next proposal.
   */
  propose(step: ProposedStep, options?: WaitOptions): Promise<Answer>
  /** Waits until the human asked by a `confirm` has answered, or it expired (`block`). Other answers come back as they are. */
  resolution(answer: Answer, options?: WaitOptions): Promise<Answer>
  /** Tells that a step ran, and what its result was seen to be. */
  complete(answer: Answer, result?: StepResult): Promise<void>
  end(outcome?: 'completed' | 'failed' | 'cancelled'): Promise<void>
}

export interface ProposedStep {
  readonly tool: string
  /** Stay here: only their digest travels. */
  readonly arguments?: Readonly<Record<string, unknown>>
  /** The framework's id of the call; chosen at random where it is left out. */
  readonly callId?: string
  /** Can only raise what the catalogue says. */
  readonly labels?: ClaimedLabels
  /** Whether sensitive data that the session has read is in the arguments; `unknown` where it is left out. */
  readonly evidence?: Evidence
}

export interface WaitOptions {
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

export interface StepResult {
  readonly outcome?: 'ok' | 'error'
  readonly labels?: ClaimedLabels
  readonly taint?: Taint
}

/** What to do with a step. */
export interface Answer {
  readonly callId: string
  readonly tool: string
  readonly verdict: Verdict
  /** Whether the step may run now: allow or warn. */
  readonly mayRun: boolean
  /** Who said so: a decision, or the fail mode for want of one. */
  readonly by: 'decision' | 'fail_open' | 'fail_closed'
  readonly decision?: Decision
}

export interface ClientStats {
  readonly proposed: number
  readonly decided: number
  readonly failedOpen: number
  readonly failedClosed: number
}
