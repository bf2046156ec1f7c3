import type { BlindStep, BlindTrace } from './blind.js'

/** Distinct steps that are told apart; of those that come later each is its own. */
const STEPS_MAX = 500_000

/**
 * Sessions whose equal steps are one object: of recorded steps most stand in many sessions, so that they take less memory, and what was
 * made of one is made of all.
 */
export function createStepInterner(): (trace: BlindTrace) => BlindTrace {
  const known = new Map<string, BlindStep>()
  const shared = (step: BlindStep): BlindStep => {
    const key = stepKey(step)
    const found = known.get(key)
    if (found) return found
    if (known.size < STEPS_MAX) known.set(key, step)
    return step
  }
  return ({ task, category, steps }) => ({ task, category, steps: steps.map(shared) })
}

/** The same for equal steps. */
export const stepKey = ({ tool, description, args, result, error }: BlindStep): string =>
  // No result and the result `null` are written alike.
  JSON.stringify([tool, error, description, args, result, result === undefined])
