import { rowOf, sum, type Counts } from './counting.js'
import { wilson, type Proportion } from './metrics/wilson.js'

/** A transition that was seen: how often among the steps that left `from`, with its 95% interval. */
export interface TransitionInterval extends Proportion {
  readonly from: number
  /** A state; S is `violated`, S + 1 is `ended`. */
  readonly to: number
}

/** The transitions that were seen, by `from`, then `to`. */
export function transitionIntervals(counts: Counts): TransitionInterval[] {
  return Array.from({ length: counts.states }, (_, from) => {
    const row = rowOf(counts, from)
    const total = sum(row)
    return Array.from(row).flatMap((n, to) => (n > 0 ? [{ from, to, ...wilson(n, total) }] : []))
  }).flat()
}

/** P(a step that arrives in s is itself the violation) with its 95% interval, S values; NaN where none arrived. */
export function hazardIntervals({ violating, arrivals }: Counts): Proportion[] {
  return Array.from(violating, (n, s) => wilson(n, arrivals[s] ?? 0))
}
