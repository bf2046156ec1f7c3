import type { EventOf } from '@plimsoll/contracts'

/** Steps without a verdict that are not reported yet. When it is full, the fail mode is closed. */
const STEPS_MAX = 256

/** Steps reported with one proposal: the event schema's cap. */
const REPORTED_MAX = 16

type JournalledStep = NonNullable<EventOf<'step.proposed'>['withoutVerdict']>[number]

export type Journal = ReturnType<typeof createJournal>

/** Steps that ran without a verdict and are still to be reported. */
export function createJournal() {
  let steps: JournalledStep[] = []
  return {
    isFull: () => steps.length >= STEPS_MAX,
    add: ({ callId, tool, labels }: JournalledStep): void => void steps.push({ callId, tool, labels }),
    /** The oldest steps, as many as a proposal can report; undefined if there are none. They stay until `drop`. */
    first: () => (steps.length === 0 ? undefined : steps.slice(0, REPORTED_MAX)),
    drop: (count: number): void => void steps.splice(0, count),
    find: (callId: string) => steps.find((step) => step.callId === callId),
    remove: (callId: string): void => {
      steps = steps.filter((step) => step.callId !== callId)
    },
    takeAll: (): readonly JournalledStep[] => steps.splice(0),
  }
}
