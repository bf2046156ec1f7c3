import type { Reach, SpecRule } from './spec-rule.js'

/** Where a session stands in time: steps and blocked proposals so far, and the log's time in milliseconds. */
export interface Moment {
  readonly steps: number
  readonly blocked: number
  readonly time: number
}

/** Where a session stands when an event of it is heard at `time`. */
export const momentOf = ({ steps, blocked }: Pick<Moment, 'steps' | 'blocked'>, time: number): Moment => ({
  steps,
  blocked,
  time,
})

/** The number of the step that is proposed at `moment`, as windows of `spec` count. */
export const nextNumber = ({ countsProposals }: SpecRule, { steps, blocked }: Moment): number =>
  steps + 1 + (countsProposals ? blocked : 0)

/** What is written down of something that happens with the step that is proposed. */
export const stampNext = (spec: SpecRule, { ms }: Reach, moment: Moment): number =>
  ms === undefined ? nextNumber(spec, moment) : moment.time

/** What is written down of something that comes back between two steps: the number of steps there are. */
export const stampNow = (spec: SpecRule, { ms }: Reach, moment: Moment): number =>
  // Something that comes back before any step ran did happen all the same.
  ms === undefined ? Math.max(nextNumber(spec, moment) - 1, 1) : moment.time

/** Whether something counts for a while alone. */
export const isReaching = ({ steps, ms }: Reach): boolean => steps !== undefined || ms !== undefined

/** Whether what was stamped `stamp` (0: never) still counts for the step that is proposed. */
export function isWithin(spec: SpecRule, reach: Reach, stamp: number, moment: Moment): boolean {
  if (stamp === 0) return false
  if (reach.ms !== undefined) return stamp >= moment.time - reach.ms
  return reach.steps === undefined || stamp >= nextNumber(spec, moment) - reach.steps
}
