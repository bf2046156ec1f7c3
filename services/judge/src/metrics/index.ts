import type { Judgement } from '../asking/question.js'
import type { Metrics } from '@plimsoll/runtime'
import type { CallOutcome } from '../asking/attempt.js'
import type { BudgetScope } from '../asking/budget.js'
import { COUNTERS, GAUGES, HISTOGRAMS } from './specs.js'

export { JUDGE_METRICS } from './specs.js'

/** What became of an unlabelled step. `stale`: its decision was too old; `failed`: it will be taken again. */
export type StepOutcome = Exclude<Judgement['kind'], 'labels'> | 'asked' | 'cached' | 'stale' | 'failed'

/** What the judge measures; its parts call these and hold no metric themselves. */
export interface JudgeMetrics {
  stepDone(outcome: StepOutcome): void
  called(outcome: CallOutcome, seconds: number, left: Readonly<Record<BudgetScope, number>>): void
  candidate(outcome: 'written' | 'skipped' | 'failed'): void
}

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
