import type { SpecOf, StepPattern } from '@plimsoll/contracts'
import type { NaiveHistory, NaiveMoment, NaivePoint, NaiveStep } from './naive-history.js'
import { inFlight, type NaiveClock } from './naive-past.js'
import { asksForRaised, mayBe, surelyIs, type NaiveReading } from './naive-pattern.js'

type Mustlist = SpecOf<'mustlist'>

/** An open obligation: where it arose, the latest step that it follows, and whether a fulfilling step was refused. */
export interface NaiveObligation {
  readonly since: NaivePoint
  readonly latest: number
  readonly isExitOpen: boolean
}

/** The open obligation of a mustlist spec; undefined if there is none. */
export function owedBy(spec: Mustlist, { moments }: NaiveHistory): NaiveObligation | undefined {
  const { followedBy } = spec
  if (!followedBy) return undefined
  let owed: NaiveObligation | undefined
  for (const moment of moments) {
    if (isOwn(spec, followedBy.step, moment)) {
      const { steps: latest } = moment.at
      owed = { since: owed?.since ?? moment.at, latest, isExitOpen: owed?.isExitOpen ?? false }
    }
    if (!owed || !('step' in moment) || !surelyIs(followedBy.step, moment.step)) continue
    if (moment.kind === 'blocked') owed = { ...owed, isExitOpen: true }
    if (moment.kind === 'back' && moment.step.back?.isOk && moment.step.at.steps > owed.latest)
      owed = undefined
  }
  return owed
}

/** Whether a step creates the obligation; after later findings a step may no longer be known to fulfil it. */
function isOwn(spec: Mustlist, pays: StepPattern, moment: NaiveMoment): boolean {
  const isOne = (step: NaiveReading) => mayBe(spec, step) && !surelyIs(pays, step)
  if (moment.kind === 'ran') return isOne(moment.step)
  if (moment.kind !== 'raised' || !asksForRaised(spec)) return false
  return isOne(moment.raise.to) && !isOne(moment.raise.from)
}

/** Whether the proposed step would pass the deadline, and the calls in flight that may fulfil the obligation. */
export function wouldBeLate(
  spec: Mustlist,
  history: NaiveHistory,
  proposed: NaiveReading,
): { readonly owed: NaiveObligation; readonly waitFor: readonly NaiveStep[] } | undefined {
  const { followedBy, counts } = spec
  const owed = owedBy(spec, history)
  if (!followedBy || !owed || surelyIs(followedBy.step, proposed)) return undefined
  if (!isDue(followedBy.within, owed.since, history.next, counts ?? 'steps')) return undefined
  return { owed, waitFor: inFlight(history, followedBy.step).filter(({ at }) => at.steps > owed.latest) }
}

function isDue(
  within: NonNullable<Mustlist['followedBy']>['within'],
  since: NaivePoint,
  now: NaivePoint,
  clock: NaiveClock,
): boolean {
  if (within === 'session') return false
  if ('steps' in within) return now[clock] >= since[clock] + within.steps
  return now.time > since.time + within.seconds * 1000
}
