import type { StepPattern } from '@plimsoll/contracts'
import type { Effect } from '@plimsoll/engine'
import type { BaseRule } from './base-rule.js'

/** Something that counts against a session once it ran, and the steps that do it. */
export interface Marking {
  readonly effect: Effect
  readonly step: StepPattern
  /** Steps of this kind, as far as that is known, do nothing. */
  readonly unless?: StepPattern
  /** Kinds of the spec's credits that calls in flight lose by it. */
  readonly voids?: Effect['kind']
}

/** Counts are of steps: what a completion raises is not counted again. */
export const isCounting = ({ kind }: Effect): boolean =>
  kind === 'atMost' || kind === 'sum' || kind === 'distinct'

export function markingsOf({ spec, rule }: BaseRule): Marking[] {
  const markings: Marking[] = []
  const add = (
    kind: Effect['kind'],
    step: StepPattern | undefined,
    more: Pick<Marking, 'unless' | 'voids'> = {},
  ) => {
    if (step) markings.push({ effect: { spec: rule, kind, from: 0, to: 0 }, step, ...more })
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
  return markings
}
