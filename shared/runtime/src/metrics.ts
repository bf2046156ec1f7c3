/** Values of the declared labels; a metric without labels takes none. */
export type Labels<L extends string> = Readonly<Record<L, string>>

export interface Counter<L extends string = never> {
  /** Adds `by`, 1 by default. */
  inc(labels: Labels<L>, by?: number): void
}

export interface Gauge<L extends string = never> {
  set(labels: Labels<L>, value: number): void
}

export interface Histogram<L extends string = never> {
  /** In the metric's base unit: seconds, bytes or a count. */
  observe(labels: Labels<L>, value: number): void
}

export interface MetricSpec<L extends string> {
  /**
   * Without the prefix. In base units with the unit last: `…_seconds`, `…_bytes`, `…_total` for counters.
   */
  readonly name: string
  readonly help: string
  /** Names of few values each. Never a session's, a call's or an event's id: each value is a series that stays. */
  readonly labels?: readonly L[]
}

export interface HistogramSpec<L extends string> extends MetricSpec<L> {
  /** Upper bounds, ascending. */
  readonly buckets: readonly number[]
}

/**
 * The port to whatever counts. Adapters: `@plimsoll/runtime/metrics`, and `noMetrics`. A name is made once; the pure parts of the
 * code hold no metrics, the parts around them do.
 *
 * @example
 * const decisions = metrics.counter({ name: 'decisions_total', help: 'Decisions made.', labels: ['verdict'] })
 * decisions.inc({ verdict: 'allow' })
 */
export interface Metrics {
  counter<const L extends string = never>(spec: MetricSpec<L>): Counter<L>
  gauge<const L extends string = never>(spec: MetricSpec<L>): Gauge<L>
  histogram<const L extends string = never>(spec: HistogramSpec<L>): Histogram<L>
  /** Everything measured, in Prometheus' text format. */
  text(): Promise<string>
  /** The media type of `text`. */
  readonly contentType: string
}

/** Upper bounds for times between a tenth of a millisecond and ten seconds, in seconds. */
export const SECONDS_BUCKETS: readonly number[] = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
]

/** Counts nothing. */
export const noMetrics: Metrics = {
  counter: () => ({ inc: () => {} }),
  gauge: () => ({ set: () => {} }),
  histogram: () => ({ observe: () => {} }),
  text: async () => '',
  contentType: 'text/plain',
}
