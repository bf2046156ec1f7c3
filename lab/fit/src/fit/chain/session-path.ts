import type { Bundle } from '@plimsoll/contracts'
import {
  type StepLabels,
  INITIAL_STATE,
  advanceSafetyState,
  riskLevelOf,
  stepLabelsOf,
} from '@plimsoll/engine'
import type { Labeller } from '@plimsoll/labels'
import { exclusionFor } from '../../corpus/recording.js'
import type { Trace } from '../../corpus/trace.js'
import { type Space, VIOLATED_LEVEL } from './space.js'

export type Target = Bundle['target']

/** Why a session, though read, counts for nothing. */
export type Exclusion =
  | 'held_out'
  | 'label_unknown'
  | 'label_partial'
  | 'label_text_only'
  | 'label_unconfirmed'
  | 'violation_step_unseen'
  | 'no_steps'

/** `violatedAt`: `i` of the violating step, 'unknown' where only the session is labelled, null where there was no violation. */
type Observed = { readonly excluded: Exclusion } | { readonly violatedAt: number | 'unknown' | null }

/** What counts as the violation of a recorded session: the label; the cascade has no say. */
function observedIn({ label }: Trace): Observed {
  const excluded = exclusionFor(label)
  if (excluded) return { excluded }
  return { violatedAt: label.unsafe ? (label.violation_step ?? 'unknown') : null }
}

/**
 * posterior[k]: probability that step k was the violation, given what is known of the session. The values sum to at most 1; what is
 * left is the probability that there was no violation.
 */
export type StepPosterior = ArrayLike<number>

/** Of a session that is known to be violated when nothing tells its steps apart: each is as likely, of at least one. */
export const uniformPosterior = (steps: number): StepPosterior => new Float64Array(steps).fill(1 / steps)

/** A recorded session over a state space. */
export interface SessionPath {
  /** The state in which each counted step arrived, in order; at least one. Steps after the violation are cut off. */
  readonly arrivals: readonly number[]
  /** Whether the last arrival was itself the violation; else the session ended there. */
  readonly violated: boolean
  /** A value an arrival, where it is not known which of them was the violation; `violated` says nothing then. */
  readonly posterior?: StepPosterior
  /** Steps that were not counted: their tool carries no label, or the step was stopped before it ran. */
  readonly unlabelled: number
  readonly unexecuted: number
}

export type PathResult = SessionPath | { readonly excluded: Exclusion }

/**
 * Follows recorded sessions through `space`. A step that was stopped is censored: it neither moves the session nor survives. An
 * *observed* violation whose step is not known is spread evenly over the steps. A *modelled* one is what the cascade says, whatever the
 * label.
 */
export function createPathFinder(
  labelOf: Labeller,
  space: Space,
  target: Target,
): (trace: Trace) => PathResult {
  const stepLabels = rememberLabels(labelOf)
  return (trace) => {
    const truth = target === 'observed' ? observedIn(trace) : { violatedAt: 'modelled' as const }
    if ('excluded' in truth) return truth
    const { violatedAt } = truth
    const path = tracePath(trace, violatedAt, stepLabels, space)
    if (typeof violatedAt === 'number' && !path.violated) return { excluded: 'violation_step_unseen' }
    if (path.arrivals.length === 0) return { excluded: 'no_steps' }
    return violatedAt === 'unknown' ? { ...path, posterior: uniformPosterior(path.arrivals.length) } : path
  }
}

type LookUp = (tool: string) => StepLabels | undefined

function tracePath(
  trace: Trace,
  violatedAt: number | 'unknown' | 'modelled' | null,
  labelsOf: LookUp,
  space: Space,
): SessionPath {
  const arrivals: number[] = []
  const skipped = { unlabelled: 0, unexecuted: 0 }
  let safety = INITIAL_STATE
  let level = 0
  for (const { i, tool, executed } of trace.steps) {
    const labels = executed === false ? undefined : labelsOf(tool)
    if (labels === undefined) {
      skipped[executed === false ? 'unexecuted' : 'unlabelled']++
      continue
    }
    safety = advanceSafetyState(safety, labels)
    level = Math.max(level, riskLevelOf(safety))
    arrivals.push(space.indexOf(safety, level))
    const violated = violatedAt === 'modelled' ? level === VIOLATED_LEVEL : i === violatedAt
    if (violated) return { arrivals, violated, ...skipped }
  }
  return { arrivals, violated: false, ...skipped }
}

/** Labels as indices, each tool looked up once; at most `TOOLS_MAX` are kept, for names come from the recordings. */
function rememberLabels(labelOf: Labeller): LookUp {
  const known = new Map<string, StepLabels | undefined>()
  return (tool) => {
    if (known.has(tool)) return known.get(tool)
    const labels = labelOf(tool)
    const found = labels && stepLabelsOf(labels)
    if (known.size < TOOLS_MAX) known.set(tool, found)
    return found
  }
}

const TOOLS_MAX = 4096
