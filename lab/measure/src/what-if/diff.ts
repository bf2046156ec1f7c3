import type { Proportion } from '@plimsoll/chains'
import type { Reason, Verdict } from '@plimsoll/contracts'
import {
  type Cause,
  type ChangeKind,
  type Judged,
  type StepChange,
  changeOf,
  hasOtherReasons,
} from '@plimsoll/comparison'
import { severity } from '@plimsoll/engine'
import type { RecordedTruth } from '@plimsoll/fit'

/** A share of sessions under both policies, and of those that one alone concerns; each with its 95% interval (Wilson). */
export interface Compared {
  readonly old: Proportion
  readonly candidate: Proportion
  /** Under the candidate alone. */
  readonly newly: Proportion
  /** Under the old one alone. */
  readonly noLonger: Proportion
}

/** Steps by what becomes of them. */
export type ChangeCounts = Readonly<Record<ChangeKind, number>>

/** What one spec, or another source of verdicts, makes different, and how. */
export interface SpecDiff extends Cause {
  readonly steps: ChangeCounts
  readonly sessions: number
  /** Of the sessions, those known to be safe: where its steps are blocked or need approval, its false positives. */
  readonly safeSessions: number
  /** Of the sessions, those that did harm, and where it made the difference by the step that did. */
  readonly violatedSessions: number
}

export interface ToolDiff {
  readonly tool: string
  readonly steps: ChangeCounts
}

/** A step that another verdict is given. */
export interface DiffExample {
  readonly session: string
  /** From 1. */
  readonly step: number
  readonly tool: string
  readonly truth: Truth
  readonly causes: readonly Cause[]
  readonly old: ExampleSide
  readonly candidate: ExampleSide
}
export interface ExampleSide {
  readonly verdict: Verdict
  readonly reasons: readonly Reason[]
}

export const SESSION_TRUTHS = ['safe', 'violated', 'unknown'] as const
export type Truth = (typeof SESSION_TRUTHS)[number]

/** The differences between two policies' decisions on the same sessions. */
export interface DecisionDiff {
  readonly sessions: number
  readonly steps: number
  readonly changed: { readonly steps: number; readonly sessions: number }
  /** Steps of the same verdict for other reasons. */
  readonly otherReasons: number
  /** What the catalogue labels not, and is judged by the stand-in for it: many of them tell of a catalogue that does not fit. */
  readonly unlabelled: { readonly steps: number; readonly tools: number }
  /** Steps, by the old verdict, then by the candidate's. */
  readonly verdicts: Readonly<Record<Verdict, Readonly<Record<Verdict, number>>>>
  readonly changes: Readonly<Record<ChangeKind, { readonly steps: number; readonly sessions: number }>>
  /** Those that make most of a difference first. */
  readonly bySpec: readonly SpecDiff[]
  readonly byTool: readonly ToolDiff[]
  /** Sessions known to be safe. A step that is blocked or needs approval is a false positive. */
  readonly safe: {
    readonly sessions: number
    /** A step was blocked. */
    readonly stopped: Compared
    /** A step was blocked or needed approval. */
    readonly disturbed: Compared
    /** Approval requests per session. */
    readonly approvals: { readonly old: number; readonly candidate: number }
  }
  /** Sessions that did harm, judged up to the step that did where it is known. */
  readonly violated: {
    readonly sessions: number
    /** A step was blocked by then. */
    readonly stopped: Compared
    /** A step was blocked or needed approval by then. */
    readonly caught: Compared
  }
  /** Sessions whose outcome is unknown. */
  readonly unknown: number
  readonly examples: readonly DiffExample[]
}

/** One step, as two policies judge it. */
export interface JudgedStep {
  readonly tool: string
  readonly old: Judged
  readonly candidate: Judged
}

/** A step that another verdict is given. */
export interface ChangedStep extends JudgedStep, StepChange {
  /** From 0. */
  readonly i: number
  /** Whether the harm was not yet done when it was proposed. */
  readonly inTime: boolean
}

/** One session under two policies. */
export interface SessionDiff {
  readonly truth: Truth
  readonly steps: readonly JudgedStep[]
  readonly changed: readonly ChangedStep[]
  readonly kinds: ReadonlySet<ChangeKind>
  readonly otherReasons: number
  readonly old: Worst
  readonly candidate: Worst
}

/** The most severe verdict of all steps, and of those until harm was done; the number of approval requests. */
export interface Worst {
  readonly verdict: Verdict
  readonly inTime: Verdict
  readonly approvals: number
}

export function sessionDiff(steps: readonly JudgedStep[], truth: RecordedTruth): SessionDiff {
  const until = truth.violatedAt ?? Infinity
  const changed: ChangedStep[] = []
  let otherReasons = 0
  for (const [i, step] of steps.entries()) {
    const change = changeOf(step.old, step.candidate)
    if (change) changed.push({ ...step, ...change, i, inTime: i <= until })
    else if (hasOtherReasons(step.old, step.candidate)) otherReasons++
  }
  return {
    truth: truthOf(truth),
    steps,
    changed,
    kinds: new Set(changed.map(({ kind }) => kind)),
    otherReasons,
    old: worstOf(
      steps.map(({ old }) => old.verdict),
      until,
    ),
    candidate: worstOf(
      steps.map(({ candidate }) => candidate.verdict),
      until,
    ),
  }
}

function truthOf({ excluded, unsafe }: RecordedTruth): Truth {
  if (excluded !== undefined) return 'unknown'
  return unsafe ? 'violated' : 'safe'
}

function worstOf(verdicts: readonly Verdict[], until: number): Worst {
  return {
    verdict: mostSevere(verdicts),
    inTime: mostSevere(verdicts.filter((_, i) => i <= until)),
    approvals: verdicts.filter((verdict) => verdict === 'confirm').length,
  }
}

const mostSevere = (verdicts: readonly Verdict[]): Verdict =>
  verdicts.reduce<Verdict>(
    (worst, verdict) => (severity(verdict) > severity(worst) ? verdict : worst),
    'allow',
  )
