import type { ConditionsOf, SpecOf, StepPattern } from '@plimsoll/contracts'
import type { Credit, Update } from '@plimsoll/engine'
import type { BaseRule } from './base-rule.js'
import { allHandled } from './conditions.js'

/** An update that counts against a session once a step ran, and the steps that have it. */
export interface CountedUpdate {
  readonly update: Update
  readonly step: StepPattern
  /** Steps that are known to match this have no update. */
  readonly unless?: StepPattern
  /** Kind of the spec's credits that calls in flight lose by it. */
  readonly voids?: Update['kind']
}

/** Steps are counted when they run: what a completion raises is not counted again. */
export const isCounting = ({ kind }: Update): boolean =>
  kind === 'atMost' || kind === 'sum' || kind === 'distinct'

export function updatesOf({ spec, rule }: BaseRule): CountedUpdate[] {
  const updates: CountedUpdate[] = []
  const add = (
    kind: Update['kind'],
    step: StepPattern | undefined,
    more: Pick<CountedUpdate, 'unless' | 'voids'> = {},
  ) => {
    if (step) updates.push({ update: { spec: rule, kind, from: 0, to: 0 }, step, ...more })
  }
  if (spec.tier === 'mustlist') {
    const { followedBy, requires: _earned, ...others }: ConditionsOf<SpecOf<'mustlist'>> = spec
    allHandled(others)
    if (followedBy) add('opens', spec, { unless: followedBy.step, voids: 'pays' })
  } else if (spec.tier === 'allowlist') {
    const { before, between, after: _earned, ...others }: ConditionsOf<SpecOf<'allowlist'>> = spec
    allHandled(others)
    add('before', before)
    add('to', between?.to, { voids: 'from' })
  } else {
    const { after, between, flow, before: _earned, ...counters }: ConditionsOf<typeof spec> = spec
    add('after', after)
    add('from', between?.from, { voids: 'to' })
    add('flow', flow?.from, { voids: 'declassifies' })
    const { atMost, sum, distinct, fleet, ...others } = counters
    allHandled(others)
    for (const [kind, counter] of Object.entries({ atMost, sum, distinct, fleet }))
      if (counter) add(kind as keyof typeof counters, spec)
  }
  return updates
}

/** A credit that can count for a session, and the steps that earn it. */
export interface Earning {
  readonly credit: Credit
  readonly step: StepPattern
  /** Steps that may match this earn nothing. */
  readonly unless?: StepPattern
  /** Nothing is earned while a call with this credit number is in flight. */
  readonly unlessInFlight?: number
}

/** The credits of one spec, numbered from `first`. */
export function earningsOf({ spec, rule, flow, declassifiers }: BaseRule, first: number): Earning[] {
  const earnings: Earning[] = []
  const add = (
    kind: Credit['kind'],
    step: StepPattern | undefined,
    more: Pick<Earning, 'unless' | 'unlessInFlight'> = {},
    from = 0,
    to = 0,
  ) => {
    const credit = { spec: rule, kind, from, to, number: first + earnings.length }
    if (step) earnings.push({ credit, step, ...more })
  }
  if (spec.tier === 'mustlist') {
    const { requires, followedBy, ...others }: ConditionsOf<SpecOf<'mustlist'>> = spec
    allHandled(others)
    add('requires', requires)
    add('pays', followedBy?.step)
  } else if (spec.tier === 'allowlist') {
    const { after, between, before: _effect, ...others }: ConditionsOf<SpecOf<'allowlist'>> = spec
    allHandled(others)
    add('after', after)
    if (between) add('from', between.from, { unless: between.to })
  } else {
    const { before, between, flow: flowing, after: _effect, ...counters }: ConditionsOf<typeof spec> = spec
    const { atMost: _1, sum: _2, distinct: _3, fleet: _4, ...others } = counters
    allHandled(others)
    add('before', before)
    if (between) add('to', between.to, { unless: between.from })
    if (!flow || !flowing || declassifiers.length === 0) return earnings
    // Not a credit: it marks that what the step brings has not come back yet.
    const unlessInFlight = first + earnings.length
    add('flow', flowing.from)
    for (const { step, from, to } of declassifiers) {
      const bit = to === undefined ? 0 : flow.bitOf(to)
      add('declassifies', step, { unless: flowing.from, unlessInFlight }, flow.bitOf(from), bit)
    }
  }
  return earnings
}
