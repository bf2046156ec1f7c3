import type { Labeller } from '@plimsoll/labels'
import { advanceSafetyState, INITIAL_STATE, riskLevelOf, stepLabelsOf } from '@plimsoll/engine'
import type { SessionPath } from '../sessions/session-path.js'
import type { Space } from '../sessions/space.js'
import type { BlindTrace } from '../traces/blind.js'
import type { RecordedTruth } from '../traces/recording.js'

/**
 * The state in which each step of a session would arrive by the names of its tools alone, as the published method has it. A tool that
 * nothing labels leaves the session where it is.
 */
export function walk({ steps }: BlindTrace, labelOf: Labeller, space: Space): Uint8Array {
  const states = new Uint8Array(steps.length)
  let safety = INITIAL_STATE
  let level = 0
  for (const [i, { tool }] of steps.entries()) {
    const labels = labelOf(tool)
    if (labels) safety = advanceSafetyState(safety, stepLabelsOf(labels))
    level = Math.max(level, riskLevelOf(safety))
    states[i] = space.indexOf(safety, level)
  }
  return states
}

/** What of a walk is fitted to: cut after the violation, without proposals that never ran. */
export function pathAlong(states: Uint8Array, { violatedAt, unexecuted }: RecordedTruth): SessionPath {
  const end = violatedAt ?? states.length - 1
  const arrivals = Array.from(states.subarray(0, end + 1)).filter((_, i) => !unexecuted.has(i))
  return { arrivals, violated: violatedAt !== undefined, unlabelled: 0, unexecuted: unexecuted.size }
}
