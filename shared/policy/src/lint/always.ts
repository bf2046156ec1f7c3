import type { Policy, SpecOf, StepPattern } from '@plimsoll/contracts'
import { createCoverage, patternOf } from './patterns.js'

/** Those specs that always block whatever matches a pattern. */
export type Always = (part: StepPattern) => readonly {
  readonly i: number
  readonly id: string
  readonly pattern: StepPattern
}[]

export function alwaysBlocked({ specs }: Policy): Always {
  return createCoverage(
    specs.flatMap((spec, i) =>
      spec.tier === 'blocklist' && isPlain(spec) ? [{ i, id: spec.id, pattern: patternOf(spec) }] : [],
    ),
  )
}

/** Blocks whatever matches it, whatever came before. */
function isPlain(spec: SpecOf<'blocklist'>): boolean {
  const { after, before, between, sum, distinct, fleet, flow, atMost } = spec
  return (
    ![after, before, between, sum, distinct, fleet, flow].some(Boolean) && (!atMost || atMost.times === 0)
  )
}

/** What a mustlist spec demands, and the member that says it. */
export function demandOf({ requires, followedBy }: SpecOf<'mustlist'>): {
  readonly member: 'requires' | 'followedBy'
  readonly step: StepPattern | undefined
} {
  return requires ? { member: 'requires', step: requires } : { member: 'followedBy', step: followedBy?.step }
}
