import type { StepPattern } from '@plimsoll/contracts'
import type { Credit } from '@plimsoll/engine'
import type { BaseRule } from './base-rule.js'

/** Something that can come to count for a session, and the steps that do it. */
export interface Earning {
  readonly credit: Credit
  readonly step: StepPattern
  /** Steps of this kind count against the session even if they are of that one too. */
  readonly unless?: StepPattern
  /** While a call that has this one's number is in flight nothing is earned. */
  readonly unlessInFlight?: number
}

/** What one spec credits, numbered from `first`. */
export function earningsOf({ spec, rule, flow, declassifiers }: BaseRule, first: number): Earning[] {
  const earnings: Earning[] = []
  const add = (
    kind: Credit['kind'],
    step: StepPattern | undefined,
    unless?: StepPattern,
    { from, to }: Pick<Credit, 'from' | 'to'> = { from: 0, to: 0 },
    unlessInFlight?: number,
  ) => {
    if (!step) return
    const credit = { spec: rule, kind, from, to, number: first + earnings.length }
    earnings.push({
      credit,
      step,
      ...(unless && { unless }),
      ...(unlessInFlight !== undefined && { unlessInFlight }),
    })
  }
  if (spec.tier === 'mustlist') {
    add('requires', spec.requires)
    add('pays', spec.followedBy?.step)
  } else if (spec.tier === 'allowlist') {
    add('after', spec.after)
    add('from', spec.between?.from, spec.between?.to)
  } else {
    add('before', spec.before)
    add('to', spec.between?.to, spec.between?.from)
    const bringing = first + earnings.length
    // No credit: it tells that what the step brings is still to come.
    if (declassifiers.length > 0) add('flow', spec.flow?.from)
    for (const { step, from, to } of declassifiers)
      add(
        'declassifies',
        step,
        spec.flow?.from,
        { from: flow?.bitOf(from) ?? 0, to: to === undefined ? 0 : (flow?.bitOf(to) ?? 0) },
        bringing,
      )
  }
  return earnings
}
