import type { StepPattern } from '@plimsoll/contracts'
import type { Credit, Effect } from '@plimsoll/engine'
import type { BaseRule } from './base-rule.js'

/** An effect that counts against a session once a step ran, and the steps that have it. */
export interface CountedEffect {
  readonly effect: Effect
  readonly step: StepPattern
  /** Steps that are known to match this have no effect. */
  readonly unless?: StepPattern
  /** Kind of the spec's credits that calls in flight lose by it. */
  readonly voids?: Effect['kind']
}

/** Steps are counted when they run: what a completion raises is not counted again. */
export const isCounting = ({ kind }: Effect): boolean =>
  kind === 'atMost' || kind === 'sum' || kind === 'distinct'

export function effectsOf({ spec, rule }: BaseRule): CountedEffect[] {
  const effects: CountedEffect[] = []
  const add = (
    kind: Effect['kind'],
    step: StepPattern | undefined,
    more: Pick<CountedEffect, 'unless' | 'voids'> = {},
  ) => {
    if (step) effects.push({ effect: { spec: rule, kind, from: 0, to: 0 }, step, ...more })
  }
  if (spec.tier === 'mustlist') {
    if (spec.followedBy) add('opens', spec, { unless: spec.followedBy.step, voids: 'pays' })
  } else if (spec.tier === 'allowlist') {
    add('before', spec.before)
    add('to', spec.between?.to, { voids: 'from' })
  } else {
    add('after', spec.after)
    add('from', spec.between?.from, { voids: 'to' })
    add('flow', spec.flow?.from, { voids: 'declassifies' })
    for (const kind of ['atMost', 'sum', 'distinct', 'fleet'] as const) if (spec[kind]) add(kind, spec)
  }
  return effects
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
    add('requires', spec.requires)
    add('pays', spec.followedBy?.step)
  } else if (spec.tier === 'allowlist') {
    add('after', spec.after)
    if (spec.between) add('from', spec.between.from, { unless: spec.between.to })
  } else {
    add('before', spec.before)
    if (spec.between) add('to', spec.between.to, { unless: spec.between.from })
    if (!flow || !spec.flow || declassifiers.length === 0) return earnings
    // Not a credit: it marks that what the step brings has not come back yet.
    const unlessInFlight = first + earnings.length
    add('flow', spec.flow.from)
    for (const { step, from, to } of declassifiers) {
      const bit = to === undefined ? 0 : flow.bitOf(to)
      add('declassifies', step, { unless: spec.flow.from, unlessInFlight }, flow.bitOf(from), bit)
    }
  }
  return earnings
}
