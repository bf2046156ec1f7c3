import type { MetricSpec, Metrics } from '@plimsoll/runtime'
import type { KeyedBy } from './spans/trace.js'

const COUNTERS = {
  records: {
    name: 'otel_records_total',
    help: 'Records of spans that were read, by whether they could be.',
    labels: ['outcome'],
  },
  spans: {
    name: 'otel_spans_total',
    help: 'Spans that were read: `reported` as a step; `inner`, the same call in another span; `repeated`; `other`, no run of a tool; `invalid`.',
    labels: ['outcome'],
  },
  steps: {
    name: 'otel_steps_total',
    help: 'Steps reported, by what identifies their session.',
    labels: ['keyed_by'],
  },
  late: {
    name: 'otel_late_steps_total',
    help: 'Steps reported after a later step: their spans came later than spans are held for.',
  },
  retries: {
    name: 'otel_produce_retries_total',
    help: 'Produces of events that failed and were tried again.',
  },
  decisions: {
    name: 'otel_decision_spans_total',
    help: 'Spans of our own decisions, by whether they were exported.',
    labels: ['outcome'],
  },
} as const satisfies Readonly<Record<string, MetricSpec<string>>>

const GAUGES = {
  held: { name: 'otel_held_steps', help: 'Steps that wait for what belongs before them.' },
} as const satisfies Readonly<Record<string, MetricSpec<string>>>

/** Every metric of what reads and writes spans. */
export const OTEL_METRICS: readonly MetricSpec<string>[] = [
  ...Object.values(COUNTERS),
  ...Object.values(GAUGES),
]

export type SpanOutcome = 'reported' | 'inner' | 'repeated' | 'other' | 'invalid'

/** What is measured; its parts call these and hold no metric themselves. */
export interface OtelMetrics {
  record(outcome: 'read' | 'undecodable'): void
  spans(outcome: SpanOutcome, count?: number): void
  step(keyedBy: KeyedBy): void
  late(): void
  retried(): void
  held(count: number): void
  decisionSpans(outcome: 'exported' | 'failed', count: number): void
}

export function createOtelMetrics(metrics: Metrics): OtelMetrics {
  const records = metrics.counter(COUNTERS.records)
  const spans = metrics.counter(COUNTERS.spans)
  const steps = metrics.counter(COUNTERS.steps)
  const late = metrics.counter(COUNTERS.late)
  const retries = metrics.counter(COUNTERS.retries)
  const decisions = metrics.counter(COUNTERS.decisions)
  const held = metrics.gauge(GAUGES.held)
  return {
    record: (outcome) => records.inc({ outcome }),
    spans: (outcome, count = 1) => spans.inc({ outcome }, count),
    step: (keyedBy) => steps.inc({ keyed_by: keyedBy }),
    late: () => late.inc({}),
    retried: () => retries.inc({}),
    held: (count) => held.set({}, count),
    decisionSpans: (outcome, count) => decisions.inc({ outcome }, count),
  }
}
