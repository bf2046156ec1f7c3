import type { Per, RecentPattern, StepPattern, Window } from '@plimsoll/contracts'
import type { NaiveHistory, NaivePoint, NaiveRaise, NaiveStep } from './naive-history.js'
import { asksForRaised, mayBe, surelyIs } from './naive-pattern.js'

/** The clock that step windows of a spec use. */
export type NaiveClock = 'steps' | 'proposals'

/** The points at which steps that may be of the kind ran, judged with their results too. */
export function whereMayHaveRun({ moments }: NaiveHistory, pattern: StepPattern): NaivePoint[] {
  return moments
    .filter((moment) => {
      if (moment.kind === 'raised') return isRaisedTo(pattern, moment.raise)
      return moment.kind === 'ran' && mayBe(pattern, moment.step)
    })
    .map(({ at }) => at)
}

/** Whether a step may be of the kind only because of later findings. */
export const isRaisedTo = (pattern: StepPattern, { from, to }: NaiveRaise): boolean =>
  asksForRaised(pattern) && mayBe(pattern, to) && !mayBe(pattern, from)

/** Steps certainly of the kind that succeeded. */
export const cameBackWell = ({ steps }: NaiveHistory, pattern: StepPattern): NaiveStep[] =>
  steps.filter((step) => step.back?.isOk === true && surelyIs(pattern, step))

/** Steps certainly of the kind that are in flight. */
export const inFlight = ({ steps }: NaiveHistory, pattern: StepPattern): NaiveStep[] =>
  steps.filter((step) => step.back === undefined && !step.ranWithoutVerdict && surelyIs(pattern, step))

/** Whether `point` is in the window that ends at `now`. */
export function isWithin(
  window: Window | undefined,
  point: NaivePoint,
  now: NaivePoint,
  clock: NaiveClock,
): boolean {
  if (window === undefined) return true
  if ('steps' in window) return point[clock] >= now[clock] - window.steps
  return point.time >= now.time - window.seconds * 1000
}

/** Whether `point` is in the slice of now or one of the eight before it. */
export function isCounted(per: Per, point: NaivePoint, now: NaivePoint, clock: NaiveClock): boolean {
  if (per === 'session') return true
  const [at, present, length] =
    'steps' in per ? [point[clock], now[clock], per.steps] : [point.time, now.time, per.seconds * 1000]
  const sliceOf = (moment: number) => Math.floor((moment * 8) / length)
  return sliceOf(at) >= sliceOf(present) - 8
}

/** Whether such a step ran, or succeeded, within the window. */
export function was(
  history: NaiveHistory,
  pattern: RecentPattern,
  counts: 'against' | 'for',
  clock: NaiveClock,
): boolean {
  const points =
    counts === 'against'
      ? whereMayHaveRun(history, pattern)
      : cameBackWell(history, pattern).flatMap(({ back }) => back ?? [])
  return points.some((point) => isWithin(pattern.within, point, history.next, clock))
}
