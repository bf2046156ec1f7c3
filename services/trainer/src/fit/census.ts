import type { PathResult } from '../sessions/session-path.js'
import type { Trace } from '../traces/trace.js'
import type { Exclusion } from '../sessions/truth.js'

/** What became of one source's sessions. */
export interface SourceCensus {
  /** Sessions, steps and violations that were counted. */
  traces: number
  steps: number
  violations: number
  /** Steps of counted sessions that were passed over. */
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
