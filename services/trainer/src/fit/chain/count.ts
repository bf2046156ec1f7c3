import type { Labeller } from '@plimsoll/labels'
import { type Exclusion, type PathResult, type Target, createPathFinder } from './session-path.js'
import type { Space } from './space.js'
import type { Trace } from '../../corpus/trace.js'
import { type Tally, createTally } from './tally.js'

/** What became of one source's sessions. */
export interface SourceCensus {
  /** Sessions, steps and violations that were counted. */
  traces: number
  steps: number
  violations: number
  /** Steps of counted sessions that were skipped. */
  unlabelledSteps: number
  unexecutedSteps: number
  /** Sessions left out, by reason. */
  leftOut: Partial<Record<Exclusion, number>>
}

/** Most sources told apart; the rest share the name `others`. */
const SOURCES_MAX = 64

/** Keeps the books: every session read is either counted or left out for a reason. */
export function createCensus(): {
  record: (trace: Trace, result: PathResult) => void
  bySource: () => Record<string, SourceCensus>
} {
  const sources = new Map<string, SourceCensus>()
  const of = (source: string): SourceCensus => {
    const name = sources.has(source) || sources.size < SOURCES_MAX ? source : 'others'
    const found = sources.get(name) ?? {
      traces: 0,
      steps: 0,
      violations: 0,
      unlabelledSteps: 0,
      unexecutedSteps: 0,
      leftOut: {},
    }
    sources.set(name, found)
    return found
  }
  const record = (trace: Trace, result: PathResult): void => {
    const census = of(trace.source)
    if ('excluded' in result) {
      census.leftOut[result.excluded] = (census.leftOut[result.excluded] ?? 0) + 1
      return
    }
    census.traces++
    census.steps += result.arrivals.length
    census.violations += result.violated ? 1 : 0
    census.unlabelledSteps += result.unlabelled
    census.unexecutedSteps += result.unexecuted
  }
  return { record, bySource: () => Object.fromEntries(sources) }
}

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
