import type { EventOf } from '@plimsoll/contracts'
import { JOURNAL_STEPS_MAX, UNANSWERED_MAX } from './limits.js'

/** A step that ran, or may have run, without a verdict. */
export type JournalledStep = NonNullable<EventOf<'step.proposed'>['withoutVerdict']>[number]

/** The steps of a session that ran without a verdict and that the monitor has not been told of. In the order in which they ran. */
export interface Journal {
  isFull(): boolean
  add(step: JournalledStep): void
  /** The first ones, as many as a proposal can tell; undefined where there are none. They stay until `drop`. */
  first(): JournalledStep[] | undefined
  drop(count: number): void
  find(callId: string): JournalledStep | undefined
  /** Takes out the step of `callId`: it is told in another way. */
  remove(callId: string): void
  takeAll(): readonly JournalledStep[]
}

export function createJournal(): Journal {
  let steps: JournalledStep[] = []
  return {
    isFull: () => steps.length >= JOURNAL_STEPS_MAX,
    add: (step) => void steps.push(step),
    first: () => (steps.length === 0 ? undefined : steps.slice(0, UNANSWERED_MAX)),
    drop: (count) => void steps.splice(0, count),
    find: (callId) => steps.find((step) => step.callId === callId),
    remove: (callId) => {
      steps = steps.filter((step) => step.callId !== callId)
    },
    takeAll: () => {
      const all = steps
      steps = []
      return all
    },
  }
}
