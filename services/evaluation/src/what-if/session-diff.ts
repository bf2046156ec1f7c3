import type { Verdict } from '@plimsoll/contracts'
import {
  changeOf,
  hasOtherReasons,
  type ChangeKind,
  type Judged,
  type StepChange,
} from '@plimsoll/comparison'
import { severity } from '@plimsoll/engine'
import type { RecordedTruth } from '@plimsoll/trainer'
import type { Truth } from './diff.js'

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

/** What one session comes to under two policies. */
export interface SessionDiff {
  readonly truth: Truth
  readonly steps: readonly JudgedStep[]
  readonly changed: readonly ChangedStep[]
  readonly kinds: ReadonlySet<ChangeKind>
  readonly otherReasons: number
  readonly old: Worst
  readonly candidate: Worst
}

/** The most severe verdict: of all steps, and of those until harm was done; and how often was asked. */
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
