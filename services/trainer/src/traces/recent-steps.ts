import type { BlindStep, BlindTrace } from './blind.js'
import { stepKey } from './shared-steps.js'

/** What of steps is kept, in two halves: the newer is filled while the older is still looked up in. */
export interface RecentLimits {
  readonly steps: number
  /** Characters of their texts. */
  readonly chars: number
}

/** Of recorded sessions three steps in four are found among the last four thousand that differ. */
export const RECENT: RecentLimits = { steps: 8_192, chars: 16_000_000 }

/** Sessions whose steps are one object where they are equal to a recent one, in memory that does not grow. */
export function createRecentSteps(most: RecentLimits = RECENT): (trace: BlindTrace) => BlindTrace {
  let newer = new Map<string, BlindStep>()
  let older = new Map<string, BlindStep>()
  let chars = 0
  const recent = (step: BlindStep): BlindStep => {
    const key = stepKey(step)
    const known = newer.get(key)
    if (known) return known
    const kept = older.get(key) ?? step
    newer.set(key, kept)
    chars += key.length
    if (newer.size >= most.steps / 2 || chars >= most.chars / 2) {
      older = newer
      newer = new Map()
      chars = 0
    }
    return kept
  }
  return ({ task, category, steps }) => ({ task, category, steps: steps.map(recent) })
}
