import type { Decision, ExpectedVerdict, Verdict } from '@plimsoll/contracts'
import type { ApprovalAnswer, StepArguments, StepEffect, StepLabels } from '../shapes.js'

/** The place of a record in its topic. Records of one session have one partition in each topic, so that their offsets order them. */
export interface Position {
  readonly offset: number
  /** Append time, milliseconds since 1970. */
  readonly timeMs: number
}

/**
 * What one record of the log changes in the read model. Changes from the events topic and from the decisions topic may be applied in any
 * order relative to each other: each kind writes members that no other topic's kinds write, or takes a minimum or maximum. Applying one
 * twice changes nothing.
 */
export type Change =
  SessionStarted | StepProposed | StepCompleted | SessionEnded | AnswerGiven | Noted | AppealGiven | Decided

export interface SessionStarted extends Position {
  readonly kind: 'started'
  readonly sessionId: string
  readonly agent: string | undefined
  readonly category: string | undefined
  readonly client: string | undefined
  readonly task: string | undefined
  readonly parent: string | undefined
  readonly root: string | undefined
}

export interface StepProposed extends Position {
  readonly kind: 'proposed'
  readonly sessionId: string
  readonly eventId: string
  readonly callId: string
  readonly tool: string
  readonly argumentsDigest: string
  readonly effects: readonly StepEffect[]
  readonly labels: StepLabels
  /** Undefined where none is disclosed. */
  readonly arguments: StepArguments | undefined
}

export interface StepCompleted extends Position {
  readonly kind: 'completed'
  readonly sessionId: string
  /** The latest proposal with this call id is completed. */
  readonly callId: string
  readonly outcome: 'ok' | 'error'
}

export interface SessionEnded extends Position {
  readonly kind: 'ended'
  readonly sessionId: string
}

/** An answer to a question. It counts once a decision answers its event: others may have been first. */
export interface AnswerGiven extends Position {
  readonly kind: 'answer'
  readonly sessionId: string
  readonly eventId: string
  readonly decisionId: string
  readonly answer: ApprovalAnswer
}

export interface Noted extends Position {
  readonly kind: 'note'
  readonly sessionId: string
  /** Unique in its session. */
  readonly id: string
  readonly type: string
  readonly text: string
}

/** Somebody says that a decision was wrong; a note of the session too. */
export interface AppealGiven extends Position {
  readonly kind: 'appealed'
  readonly sessionId: string
  /** Unique in its session. */
  readonly id: string
  readonly type: string
  readonly text: string
  readonly decisionId: string
  readonly callId: string
  readonly tool: string
  readonly verdict: Verdict
  readonly expected: ExpectedVerdict
  /** Each as `source:code`. */
  readonly reasons: readonly string[]
  readonly by: string
  readonly reason: string | undefined
}

export interface Decided extends Position {
  readonly kind: 'decided'
  readonly decision: Decision
}

/** The next offset to read of a partition. */
export interface NextOffset {
  readonly topic: string
  readonly partition: number
  readonly next: bigint
}
