import { SECONDS_BUCKETS, type HistogramSpec, type MetricSpec } from '@plimsoll/runtime'

/** What the judge counts. Names are without the prefix. */
export const COUNTERS = {
  steps: {
    name: 'judge_steps_total',
    help: 'Unlabelled steps, by what became of them: labels (asked or cached), or why there are none.',
    labels: ['outcome'],
  },
  calls: {
    name: 'judge_calls_total',
    help: 'Calls of the model, each attempt by itself, by outcome.',
    labels: ['outcome'],
  },
  candidates: {
    name: 'judge_candidates_total',
    help: 'Tools written to the file of candidates, or not: `skipped` is a name that a catalogue would take for a pattern.',
    labels: ['outcome'],
  },
} as const satisfies Readonly<Record<string, MetricSpec<string>>>

/** What the judge tells as it stands. */
export const GAUGES = {
  budget: {
    name: 'judge_budget_left',
    help: 'Calls that may still be made, in this minute and in this run.',
    labels: ['scope'],
  },
} as const satisfies Readonly<Record<string, MetricSpec<string>>>

/** What the judge measures. */
export const HISTOGRAMS = {
  call: {
    name: 'judge_call_seconds',
    help: 'Calls of the model, from the request to the end of the response.',
    labels: [],
    buckets: [...SECONDS_BUCKETS, 30, 60],
  },
} as const satisfies Readonly<Record<string, HistogramSpec<string>>>

/** Every metric of the judge itself; its adapters have some of their own. */
export const JUDGE_METRICS: readonly MetricSpec<string>[] = [
  ...Object.values(COUNTERS),
  ...Object.values(GAUGES),
  ...Object.values(HISTOGRAMS),
]
