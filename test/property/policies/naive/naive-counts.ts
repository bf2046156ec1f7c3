import type { Per, SpecOf } from '@plimsoll/contracts'
import { naiveValue } from './naive-expression.js'
import type { NaiveHistory, NaivePoint, NaiveStep } from './naive-history.js'
import { isCounted, type NaiveClock } from './naive-past.js'
import { mayBe, type NaiveReading } from './naive-pattern.js'

type Restricting = SpecOf<'blocklist' | 'confirmation'>

const clockOf = ({ counts }: Restricting): NaiveClock => counts ?? 'steps'

/** Whether more steps of the kind would have run than allowed. */
export function isTooMany(spec: Restricting, history: NaiveHistory): boolean {
  if (!spec.atMost) return true
  const { times, per } = spec.atMost
  const own = ownSteps(spec, history).filter(({ at }) => isCounted(per, at, history.next, clockOf(spec)))
  return own.length + 1 > times
}

/** Whether the sum of the values would exceed its maximum. */
export function isTooMuch(spec: Restricting, history: NaiveHistory, proposed: NaiveReading): boolean {
  if (!spec.sum) return true
  const { of, max, per } = spec.sum
  const amountOf = ({ args }: NaiveReading): number | undefined => {
    const value = naiveValue(of, args)
    return typeof value === 'number' ? Math.max(0, value) : undefined
  }
  const own = amountOf(proposed)
  if (own === undefined) return true
  const counted = ownSteps(spec, history).filter(({ at }) => isCounted(per, at, history.next, clockOf(spec)))
  return counted.reduce((total, step) => total + (amountOf(step) ?? 0), 0) + own > max
}

/** Whether there would be too many distinct values. */
export function isTooDiverse(spec: Restricting, history: NaiveHistory, proposed: NaiveReading): boolean {
  if (!spec.distinct) return true
  const { of, max, per } = spec.distinct
  const valuesOf = ({ args }: NaiveReading): unknown[] | undefined => {
    const value = naiveValue(of, args)
    if (value === undefined) return undefined
    return Array.isArray(value) ? value : [value]
  }
  const own = valuesOf(proposed)
  if (!own) return true
  const kept = new Map<unknown, NaivePoint>()
  for (const step of ownSteps(spec, history)) {
    forget(kept, per, step.at, clockOf(spec))
    for (const value of valuesOf(step) ?? []) if (kept.has(value) || kept.size < max) kept.set(value, step.at)
  }
  forget(kept, per, history.next, clockOf(spec))
  return new Set([...kept.keys(), ...own]).size > max
}

function forget(kept: Map<unknown, NaivePoint>, per: Per, now: NaivePoint, clock: NaiveClock): void {
  for (const [value, point] of kept) if (!isCounted(per, point, now, clock)) kept.delete(value)
}

const ownSteps = (spec: Restricting, { steps }: NaiveHistory): NaiveStep[] =>
  steps.filter((step) => mayBe(spec, step))
