import type { SpecOf } from '@plimsoll/contracts'
import type { NaiveHistory, NaivePoint, NaiveStep } from './naive-history.js'
import { inFlight, isRaisedTo, type NaiveClock } from './naive-past.js'
import { mayBe, surelyIs, type NaiveReading } from './naive-pattern.js'

type Mustlist = SpecOf<'mustlist'>

/** What is owed: where it came to be so, the latest of the steps it is owed for, and whether paying was refused. */
export interface NaiveObligation {
  readonly since: NaivePoint
  readonly latest: number
  readonly isExitOpen: boolean
}

/** What a mustlist spec owes by now; undefined where it owes nothing. */
export function owedBy(spec: Mustlist, { moments }: NaiveHistory): NaiveObligation | undefined {
  const { followedBy } = spec
  if (!followedBy) return undefined
  let owed: NaiveObligation | undefined
  for (const { kind, step, at } of moments) {
    const pays = surelyIs(followedBy.step, step)
    if (kind === 'blocked') {
      if (owed && pays) owed = { ...owed, isExitOpen: true }
      continue
    }
    const isOwn = kind === 'ran' ? mayBe(spec, step) && !pays : kind === 'raised' && isRaisedToOwn(spec, step)
    if (isOwn) owed = { since: owed?.since ?? at, latest: at.steps, isExitOpen: owed?.isExitOpen ?? false }
    if (kind === 'back' && step.back?.isOk && pays && owed && step.at.steps > owed.latest) owed = undefined
  }
  return owed
}

/** What a completion raises is read anew: with what is not known any more, it may not be known to pay. */
const isRaisedToOwn = (spec: Mustlist, step: NaiveStep): boolean =>
  isRaisedTo(spec, step) &&
  !(spec.followedBy && step.raised && surelyIs(spec.followedBy.step, step.raised.to))

/** Whether the proposed step would pass the deadline; and the calls that may yet pay. */
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
