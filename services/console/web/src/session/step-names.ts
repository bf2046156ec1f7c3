import type { Step } from '../../../src/api.js'

/** What an address calls the step at `at`: its number, or the id of its event where an earlier step has the same number. */
export function nameOf(steps: readonly Step[], at: number): string {
  const step = steps[at]
  if (step === undefined) return ''
  const isFirst = steps.findIndex((each) => each.step === step.step) === at
  return isFirst && step.step > 0 ? String(step.step) : step.eventId
}

/** The place of the step that an address names by its number, event or decision; -1 where there is none. */
export function placeOf(steps: readonly Step[], name: string | undefined): number {
  if (name === undefined) return -1
  const byId = steps.findIndex(({ eventId, decisionId }) => eventId === name || decisionId === name)
  return byId >= 0 ? byId : steps.findIndex(({ step }) => step > 0 && String(step) === name)
}
