import type { MetricSpec, Metrics } from '@plimsoll/runtime'
import type { KeyedBy } from './trace.js'

const COUNTERS = {
  spans: {
    name: 'otel_spans_total',
    help: 'Spans that were read: `reported` as a step; `inner`, the same call in another span; `repeated`; `other`, not a tool call; `invalid`; `undecodable`, a record that is not OTLP.',
    labels: ['outcome'],
  },
  steps: {
    name: 'otel_steps_total',
    help: 'Steps reported, by what identifies their session.',
    labels: ['keyed_by'],
  },
  late: {
    name: 'otel_late_steps_total',
    help: 'Steps reported after a later step, because their spans arrived after the hold time.',
  },
  decisions: {
    name: 'otel_decision_spans_total',
    help: 'Spans of decisions, by whether they were exported.',
    labels: ['outcome'],
  },
} as const satisfies Readonly<Record<string, MetricSpec<string>>>

const GAUGES = {
  held: { name: 'otel_held_steps', help: 'Steps that wait for earlier steps.' },
} as const satisfies Readonly<Record<string, MetricSpec<string>>>

export type SpanOutcome = 'reported' | 'inner' | 'repeated' | 'other' | 'invalid' | 'undecodable'

export type OtelMetrics = ReturnType<typeof createOtelMetrics>

export function createOtelMetrics(metrics: Metrics) {
  const spans = metrics.counter(COUNTERS.spans)
  const steps = metrics.counter(COUNTERS.steps)
  const late = metrics.counter(COUNTERS.late)
  const decisions = metrics.counter(COUNTERS.decisions)
  const held = metrics.gauge(GAUGES.held)
  return {
    spans: (outcome: SpanOutcome, count = 1): void => spans.inc({ outcome }, count),
    step: (keyedBy: KeyedBy): void => steps.inc({ keyed_by: keyedBy }),
    late: (): void => late.inc({}),
    held: (count: number): void => held.set({}, count),
    decisionSpans: (outcome: 'exported' | 'failed', count: number): void => decisions.inc({ outcome }, count),
  }
}
