import type { JudgeMetrics } from '../asking/model.js'
import type { Metrics } from '@plimsoll/runtime'
import { COUNTERS, GAUGES, HISTOGRAMS } from './specs.js'

export { JUDGE_METRICS } from './specs.js'

export function createJudgeMetrics(metrics: Metrics): JudgeMetrics {
  const steps = metrics.counter(COUNTERS.steps)
  const calls = metrics.counter(COUNTERS.calls)
  const candidates = metrics.counter(COUNTERS.candidates)
  const budget = metrics.gauge(GAUGES.budget)
  const call = metrics.histogram(HISTOGRAMS.call)
  return {
    stepDone: (outcome) => steps.inc({ outcome }),
    candidate: (outcome) => candidates.inc({ outcome }),
    called(outcome, seconds, left) {
      calls.inc({ outcome })
      call.observe({}, seconds)
      budget.set({ scope: 'minute' }, left.minute)
      budget.set({ scope: 'run' }, left.run)
    },
  }
}
