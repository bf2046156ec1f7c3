import type { ExpectedVerdict, Verdict } from '@plimsoll/contracts'
import type { StepAppeal } from './shapes.js'

/** Somebody says that a decision was wrong. See api.ts for texts, times and absent members. */
export interface AppealRow extends StepAppeal {
  readonly id: string
  readonly sessionId: string
  readonly tenant: string
  readonly agent?: string
  readonly decisionId: string
  readonly tool: string
  /** What the decision said. */
  readonly verdict: Verdict
  /** Its reasons that counted, each as `source:code`. */
  readonly reasons: readonly string[]
  /** False where a later appeal of the same decision counts instead. */
  readonly counts: boolean
}

/** How often something asked and blocked, and was appealed. Of the appeals of one decision the last counts. */
export interface AppealedCount {
  /** A reason as `source:code`, or a tool. */
  readonly name: string
  readonly asked: number
  readonly blocked: number
  /** In which it asked or blocked. */
  readonly sessions: number
  /** Appeals that it stopped or asked for nothing. */
  readonly needless: number
  /** Appeals that a step did harm. */
  readonly harmful: number
}

export interface AppealCounts {
  /** At most 50 each: the most appealed first, then those that ask and block most. Steps: the last 50,000. */
  readonly byReason: readonly AppealedCount[]
  readonly byTool: readonly AppealedCount[]
}

export interface AppealRequest {
  /** Default: `allow` for what was stopped or asked about, else `block`. */
  readonly expected?: ExpectedVerdict
  /** At most 500 characters, no line breaks. */
  readonly reason?: string
}
