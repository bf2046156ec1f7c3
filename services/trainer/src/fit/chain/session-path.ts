import type { Bundle } from '@plimsoll/contracts'
import {
  type StepLabels,
  INITIAL_STATE,
  advanceSafetyState,
  riskLevelOf,
  stepLabelsOf,
} from '@plimsoll/engine'
import type { Labeller } from '@plimsoll/labels'
import type { Trace } from '../../corpus/trace.js'
import { type Space, VIOLATED_LEVEL } from './space.js'

export type Target = Bundle['target']

/** Why a session, though read, counts for nothing. */
export type Exclusion =
  | 'held_out'
  | 'label_unknown'
  | 'label_partial'
  | 'label_text_only'
  | 'label_without_step'
  | 'source_without_step_truth'
  | 'violation_step_unseen'
  | 'no_steps'

/** `violatedAt`: `i` of the violating step, null where there was none, undefined where the cascade is to say. */
export type Truth = { readonly excluded: Exclusion } | { readonly violatedAt: number | null | undefined }

/**
 * Sources that tell which sessions went wrong but not at which step. Taking only their safe sessions would lower the base rate of
 * their categories, so an *observed* target leaves them out whole.
 */
const SOURCES_WITHOUT_STEP_TRUTH: ReadonlySet<string> = new Set(['openagentsafety'])

/** What counts as the violation of a recorded session. `modelled`: what the cascade says, whatever the label. */
export function truthOf({ source, label }: Trace, target: Target): Truth {
  if (target === 'modelled') return { violatedAt: undefined }
  if (SOURCES_WITHOUT_STEP_TRUTH.has(source)) return { excluded: 'source_without_step_truth' }
  if (label.unsafe === null) return { excluded: 'label_unknown' }
  if (label.partial) return { excluded: 'label_partial' }
  if (label.text_only) return { excluded: 'label_text_only' }
  if (!label.unsafe) return { violatedAt: null }
  const at = label.violation_step
  return at === undefined || at === null ? { excluded: 'label_without_step' } : { violatedAt: at }
}

/** A recorded session over a state space. */
export interface SessionPath {
  /** The state in which each counted step arrived, in order; at least one. Steps after the violation are cut off. */
  readonly arrivals: readonly number[]
  /** Whether the last arrival was itself the violation; else the session ended there. */
  readonly violated: boolean
  /** Steps that were not counted: their tool carries no label, or the step was stopped before it ran. */
  readonly unlabelled: number
  readonly unexecuted: number
}

export type PathResult = SessionPath | { readonly excluded: Exclusion }

/** Follows recorded sessions through `space`. A step that was stopped is censored: it neither moves the session nor survives. */
export function createPathFinder(
  labelOf: Labeller,
  space: Space,
  target: Target,
): (trace: Trace) => PathResult {
  const stepLabels = rememberLabels(labelOf)
  return (trace) => {
    const truth = truthOf(trace, target)
    if ('excluded' in truth) return truth
    const path = tracePath(trace, truth.violatedAt, stepLabels, space)
    if (typeof truth.violatedAt === 'number' && !path.violated) return { excluded: 'violation_step_unseen' }
    return path.arrivals.length === 0 ? { excluded: 'no_steps' } : path
  }
}

type LookUp = (tool: string) => StepLabels | undefined

function tracePath(
  trace: Trace,
  violatedAt: number | null | undefined,
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
    const violated = violatedAt === undefined ? level === VIOLATED_LEVEL : i === violatedAt
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
