import type { Labeller } from '@plimsoll/labels'
import { createPathFinder } from '../sessions/session-path.js'
import type { Space } from '../sessions/space.js'
import type { Target } from '../sessions/truth.js'
import type { Trace } from '../traces/trace.js'
import { createCensus, type SourceCensus } from './census.js'
import { createTally, type Tally } from './tally.js'

export interface CountOptions {
  readonly traces: AsyncIterable<Trace>
  readonly labelOf: Labeller
  readonly target: Target
  readonly space: Space
  /** Categories with a tally of their own. */
  readonly categories: readonly string[]
  readonly heldOut: (trace: Trace) => boolean
}

export interface Counted {
  /** Every counted session, whatever its category. */
  readonly aggregate: Tally
  readonly categories: ReadonlyMap<string, Tally>
  readonly sources: Record<string, SourceCensus>
}

/** Reads the sessions once and adds them up. */
export async function countSessions(options: CountOptions): Promise<Counted> {
  const { size, start } = options.space
  const pathOf = createPathFinder(options.labelOf, options.space, options.target)
  const aggregate = createTally(size, start)
  const categories = new Map(options.categories.map((name) => [name, createTally(size, start)]))
  const census = createCensus()
  for await (const trace of options.traces) {
    const result = options.heldOut(trace) ? ({ excluded: 'held_out' } as const) : pathOf(trace)
    census.record(trace, result)
    if ('excluded' in result) continue
    aggregate.add(result)
    categories.get(trace.category_hint)?.add(result)
  }
  const tallies = Array.from(categories, ([name, { tally }]) => [name, tally] as const)
  return { aggregate: aggregate.tally, categories: new Map(tallies), sources: census.bySource() }
}
