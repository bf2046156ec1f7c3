import type { Step, StepRisk } from '../../../src/api.js'

/** The members of a step's risk: what follows an answer replaces them. */
const RISK_MEMBERS: readonly (keyof StepRisk)[] = [
  'exposure',
  'escalation',
  'reversibility',
  'level',
  'taint',
  'hazard',
  'probability',
  'horizon',
  'band',
  'stepsToViolation',
  'pointOfNoReturn',
  'evidence',
  'provenance',
]

/** When a step was decided, by the log's clock; while it waits, when it was proposed. */
export const timeOf = ({ decidedAt, proposedAt }: Step): number => decidedAt ?? proposedAt ?? 0

/**
 * The steps up to the one at `place`, as they were known when that one was decided: without answers, outcomes and appeals that came later.
 * All of them as they are now where `place` is behind the last.
 */
export function stepsAsKnown(steps: readonly Step[], place: number): readonly Step[] {
  const current = steps[place]
  if (current === undefined) return steps
  const time = timeOf(current)
  return steps.slice(0, place + 1).map((step, at) => (at === place ? whenDecided(step) : asOf(step, time)))
}

/** What comes after the first decision. */
const LATER_MEMBERS: readonly (keyof Step)[] = [
  'verdict',
  'firstVerdict',
  'firstRisk',
  'answer',
  'resolvedAt',
  'completed',
  'appeal',
]

const without = (step: Step, members: readonly (keyof Step)[]): Step =>
  Object.fromEntries(
    Object.entries(step).filter(([name]) => !members.some((member) => member === name)),
  ) as unknown as Step

/** As its first decision left it. */
function whenDecided(step: Step): Step {
  const { firstVerdict, firstRisk, verdict } = step
  const decided = firstVerdict ?? verdict
  return {
    ...without(step, firstRisk === undefined ? LATER_MEMBERS : [...LATER_MEMBERS, ...RISK_MEMBERS]),
    ...firstRisk,
    ...(decided !== undefined && { verdict: decided }),
  }
}

function asOf(step: Step, time: number): Step {
  const isResolved = step.resolvedAt === undefined || step.resolvedAt <= time
  const { completed, appeal } = step
  return {
    ...without(isResolved ? step : whenDecided(step), ['completed', 'appeal']),
    ...(completed !== undefined && completed.at <= time && { completed }),
    ...(appeal !== undefined && appeal.at <= time && { appeal }),
  }
}
