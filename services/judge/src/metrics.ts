import {
  type Metrics,
  SECONDS_BUCKETS,
  counter,
  createInstruments,
  gauge,
  histogram,
} from '@plimsoll/runtime'
import type { CallOutcome } from './asking/attempt.js'
import type { BudgetScope } from './asking/budget.js'
import type { Judgement } from './asking/question.js'

const SPECS = {
  steps: counter(
    'judge_steps_total',
    'Unlabelled steps by outcome: labels (`asked` or `cached`), or why there are none.',
    'outcome',
  ),
  budget: gauge(
    'judge_budget_left',
    'Calls that may still be made, in this minute and in this run.',
    'scope',
  ),
  call: histogram(
    'judge_call_seconds',
    'Calls of the model from the request to the end of the response, each attempt on its own, by outcome.',
    [...SECONDS_BUCKETS, 30, 60],
    'outcome',
  ),
} as const

/** Every metric of the judge itself; its adapters add their own. */
export const JUDGE_METRICS = Object.values(SPECS)

/** Outcome of an unlabelled step. `stale`: its decision was too old; `failed`: it will be retried. */
export type StepOutcome = Exclude<Judgement['kind'], 'labels'> | 'asked' | 'cached' | 'stale' | 'failed'

export type JudgeMetrics = ReturnType<typeof createJudgeMetrics>

/** What the judge measures: its parts call these functions and hold no metric themselves. */
export function createJudgeMetrics(metrics: Metrics) {
  const { steps, budget, call } = createInstruments(metrics, SPECS)
  return {
    stepDone: (outcome: StepOutcome): void => steps.inc({ outcome }),
    called(outcome: CallOutcome, seconds: number, left: Readonly<Record<BudgetScope, number>>): void {
      call.observe({ outcome }, seconds)
      budget.set({ scope: 'minute' }, left.minute)
      budget.set({ scope: 'run' }, left.run)
    },
  }
}
