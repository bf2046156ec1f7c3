/** What a coding agent's hook reports, in one form for all clients, and what it gets back. Nothing here may load a library. */

/** A payload of a client. Nothing is known of its members. */
export type Payload = Readonly<Record<string, unknown>>

interface InSession {
  /** The client's own id of the conversation. */
  readonly session: string
  /** The folder that the agent works in, absolute. */
  readonly folder?: string | undefined
}

interface InAgent extends InSession {
  /** The client's id of the sub-agent that acts; undefined: the agent itself. */
  readonly agent?: string | undefined
}

interface OfCall extends InAgent {
  /** The client's id of the call, the same before and after it. */
  readonly call?: string | undefined
  readonly tool: string
  readonly arguments: Payload
}

/** Before a call of a tool. */
export interface StepProposed extends OfCall {
  readonly kind: 'step-proposed'
  /** Whether the client shows its own dialog if the hook asks for it, in the mode that it is in. */
  readonly canAsk: boolean
  /** Whether the tool belongs to an MCP server. */
  readonly isRemote: boolean
}

/** After a call that ran. */
export interface StepCompleted extends OfCall {
  readonly kind: 'step-completed'
  readonly isRemote: boolean
  readonly result: unknown
  readonly isError: boolean
}

/** What the user says. */
export interface Prompted extends InSession {
  readonly kind: 'prompted'
  readonly text: string
}

/** The end of a turn (no call of it is still open), of a sub-agent, or of the session. */
export interface Ended extends InAgent {
  readonly kind: 'turn-ended' | 'agent-ended' | 'session-ended'
}

export type HookEvent = StepProposed | StepCompleted | Prompted | Ended

/** The answer to a proposed step. */
export interface HookAnswer {
  readonly verdict: 'allow' | 'warn' | 'confirm' | 'block'
  /** Why, and what to do instead, for the model; empty for `allow`. `confirm` is for clients that ask their user. */
  readonly text: string
}

/** What the process of a hook prints, and its exit code. */
export interface HookReply {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

/** One coding agent: how its events are read and how it is answered. */
export interface HookClient {
  readonly name: string
  /** Its name for people. */
  readonly title: string
  /**
   * What a payload says; undefined for an event that does not matter here. `event` is the event's name, for clients that do not send it.
   * Throws `TypeError` for a payload without what it needs.
   */
  readonly read: (payload: Payload, event?: string) => HookEvent | undefined
  /** The client's form of an answer. `event` is what was read; undefined for an event that does not matter here. */
  readonly reply: (answer: HookAnswer, event: HookEvent | undefined) => HookReply
  /** Tools that only read or plan, and tools that change files: they go on if Plimsoll cannot answer. */
  readonly mild: ReadonlySet<string>
}

export const said = (stdout: object | undefined, more: Partial<HookReply> = {}): HookReply => ({
  stdout: stdout === undefined ? '' : `${JSON.stringify(stdout)}\n`,
  stderr: '',
  exitCode: 0,
  ...more,
})

export const NOTHING = said(undefined)
