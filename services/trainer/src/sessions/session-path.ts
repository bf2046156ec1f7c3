import {
  advanceSafetyState,
  INITIAL_STATE,
  riskLevelOf,
  stepLabelsOf,
  type StepLabels,
} from '@plimsoll/engine'
import type { Labeller } from '@plimsoll/labels'
import type { Trace } from '../traces/trace.js'
import { VIOLATED_LEVEL, type Space } from './space.js'
import { truthOf, type Exclusion, type Target } from './truth.js'

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
    const path = follow(trace, truth.violatedAt, stepLabels, space)
    if (typeof truth.violatedAt === 'number' && !path.violated) return { excluded: 'violation_step_unseen' }
    return path.arrivals.length === 0 ? { excluded: 'no_steps' } : path
  }
}

type LookUp = (tool: string) => StepLabels | undefined

function follow(
  trace: Trace,
  violatedAt: number | null | undefined,
  labelsOf: LookUp,
  space: Space,
): SessionPath {
  const arrivals: number[] = []
  const passedOver = { unlabelled: 0, unexecuted: 0 }
  let safety = INITIAL_STATE
  let level = 0
  for (const { i, tool, executed } of trace.steps) {
    const labels = executed === false ? undefined : labelsOf(tool)
    if (labels === undefined) {
      passedOver[executed === false ? 'unexecuted' : 'unlabelled']++
      continue
    }
    safety = advanceSafetyState(safety, labels)
    level = Math.max(level, riskLevelOf(safety))
    arrivals.push(space.indexOf(safety, level))
    const violated = violatedAt === undefined ? level === VIOLATED_LEVEL : i === violatedAt
    if (violated) return { arrivals, violated, ...passedOver }
  }
  return { arrivals, violated: false, ...passedOver }
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
