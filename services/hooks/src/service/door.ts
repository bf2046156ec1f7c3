import type { Answer, Approval, PlimsollClient, ProposedStep } from '@plimsoll/client'

/** Where verdicts come from, and where approval requests are answered. */
export interface HookDoor {
  /** The client for the sessions of one conversation: what one of them reads the others know, also after a restart. */
  readonly clientOf: (conversation: string) => PlimsollClient
  /** Applies the answer of the agent's user; undefined where only signed approvals count. */
  readonly approve: ((answer: Answer, approval: Approval, step: ProposedStep) => Promise<void>) | undefined
  readonly queue: HookQueue
}

/** Approval requests that no dialog of the client answers. */
export interface HookQueue {
  /** The command that answers a request. */
  readonly approveWith: (answer: Answer) => string
  add(answer: Answer, lines: readonly string[], step: ProposedStep): Promise<void>
  /** Takes back a request that was answered in the client. */
  remove(answer: Answer): Promise<void>
  /** Passes on the answers that have come. */
  collect(): Promise<void>
  /** An approval that was given for later sessions. */
  findKept(asked: Answer, step: ProposedStep): Promise<Approval | undefined>
}
