/** What the server says of a session, a step and a question. See api.ts for times, texts and absent members. */
import type {
  ApprovalScope,
  EffectAct,
  Escalation,
  Evidence,
  ExpectedVerdict,
  Exposure,
  Level,
  Mode,
  ObjectKind,
  Provenance,
  Reach,
  Reason,
  Reversibility,
  Taint,
  Verdict,
  Versions,
} from '@plimsoll/contracts'

export type VerdictCounts = Readonly<Record<Verdict, number>>

/** One session, in a list. */
export interface SessionRow {
  readonly id: string
  readonly tenant: string
  readonly agent?: string
  readonly category?: string
  /** The program that reports the session, such as `plimsoll fleet`; without the number of its process. */
  readonly client?: string
  readonly startedAt: number
  readonly lastAt: number
  readonly ended: boolean
  /** Steps with a verdict. */
  readonly steps: number
  readonly verdicts: VerdictCounts
  readonly level?: Level
  /** 0–3: forward thresholds that `probability` has passed. */
  readonly band: number
  /** p1 of the last step. */
  readonly hazard?: number
  /** P(h) after the last step. */
  readonly probability?: number
  readonly horizon?: number
  /** Present at a point of no return: further steps within which a violation is more likely than not. */
  readonly pointOfNoReturn?: number
  readonly exposure?: Exposure
  readonly taint?: Taint
  /** Steps that ran although they were blocked. */
  readonly violations: number
  readonly withoutVerdict: number
  readonly lastTool?: string
  readonly lastVerdict?: Verdict
  /** Questions that wait for a human now. */
  readonly openQuestions: number
  readonly parent?: string
  /** The root of its tree of sub-sessions, if that is another session. */
  readonly root?: string
}

export interface StepEffect {
  readonly act: EffectAct
  readonly object?: ObjectKind
  readonly reach?: Reach
  readonly certainty: 'understood' | 'incomplete'
}

export interface StepLabels {
  readonly capability?: string
  readonly confidentiality?: string
  readonly trust?: string
  readonly reversibility?: string
}

/** What can be shown of a step's arguments. */
export interface StepArguments {
  /** One argument a line, or a part of one: text of the agent. At most 200 lines; empty where none is disclosed. */
  readonly lines: readonly string[]
  /** Whether these are all arguments, proved by the digest that is approved. */
  readonly isWhole: boolean
  /** What is missing, as half a sentence; absent if `isWhole`. */
  readonly problem?: string
  readonly isCut: boolean
}

export interface ApprovalAnswer {
  readonly resolution: 'approved' | 'denied'
  readonly by: string
  readonly at: number
  readonly scope: ApprovalScope
  readonly reason?: string
}

/** Somebody says that a decision was wrong. It changes no verdict. */
export interface StepAppeal {
  /** What it should have been. */
  readonly expected: ExpectedVerdict
  readonly by: string
  readonly at: number
  readonly reason?: string
}

/** The session's risk at a decision on a step. */
export interface StepRisk {
  readonly exposure?: Exposure
  readonly escalation?: Escalation
  readonly reversibility?: Reversibility
  readonly level?: Level
  readonly taint?: Taint
  readonly hazard?: number
  readonly probability?: number
  readonly horizon?: number
  readonly band?: number
  readonly stepsToViolation?: number
  readonly pointOfNoReturn?: number
  readonly evidence?: Evidence
  readonly provenance?: Provenance
}

/** One step of a session: what was proposed, decided and reported. */
export interface Step extends StepRisk {
  /** Number in the session, from 1; 0 for a refusal. */
  readonly step: number
  readonly callId: string
  readonly eventId: string
  readonly tool: string
  /** When it was decided; absent while it waits for its verdict. */
  readonly decidedAt?: number
  readonly proposedAt?: number
  readonly decisionId?: string
  /** The latest: of the approval, if one was answered. */
  readonly verdict?: Verdict
  /** The first, if an approval or its expiry has changed it. */
  readonly firstVerdict?: Verdict
  /** When an answer or its expiry was decided last. */
  readonly resolvedAt?: number
  /** The risk at the first decision, if an answer was followed by another decision. */
  readonly firstRisk?: StepRisk
  readonly mode?: Mode
  readonly effects: readonly StepEffect[]
  /** As the client claims them; of a step that asks, as the policy sees them. */
  readonly labels: StepLabels
  readonly arguments?: StepArguments
  /** Every reason, those of the first decision; lifted ones have `liftedBy`. `code` is the spec for specs. */
  readonly reasons: readonly Reason[]
  readonly alternative?: string
  /** Documents that it was judged by. */
  readonly versions?: Versions & { readonly engine: string }
  readonly answer?: ApprovalAnswer
  /** The last that was said against it. */
  readonly appeal?: StepAppeal
  /** What the client reported after it ran. */
  readonly completed?: { readonly at: number; readonly outcome: 'ok' | 'error' }
}

/** A step that waits for a human. */
export interface Question {
  readonly decisionId: string
  readonly sessionId: string
  readonly tenant: string
  readonly agent?: string
  readonly category?: string
  readonly tool: string
  readonly step: number
  readonly argumentsDigest: string
  readonly arguments: StepArguments
  readonly effects: readonly StepEffect[]
  readonly labels: StepLabels
  /** Those that an approval would lift, and those that are lifted already. */
  readonly reasons: readonly Reason[]
  /** The reasons and what the step may destroy, on one line. */
  readonly message: string
  readonly alternative?: string
  readonly hazard?: number
  readonly probability?: number
  readonly horizon?: number
  readonly level?: Level
  readonly band: number
  /** Those that the policy permits and an answer here can give. */
  readonly scopes: readonly ApprovalScope[]
  readonly askedAt: number
  readonly expiresAt: number
}
