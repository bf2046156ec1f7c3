/** Values of the declared labels. */
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
  /** Without the prefix. In base units, with the unit last: `…_seconds`, `…_bytes`, `…_total` for counters. */
  readonly name: string
  readonly help: string
  /** Each must have few values, never ids of sessions, calls or events: every value is a series that stays. */
  readonly labels?: readonly L[]
}

export interface HistogramSpec<L extends string> extends MetricSpec<L> {
  /** Upper bounds, ascending. */
  readonly buckets: readonly number[]
}

/**
 * The port to the metrics system. Adapters: `@plimsoll/runtime/metrics` (Prometheus) and `noMetrics`. Each name is created once. Pure
 * code holds no metrics.
 *
 * @example
 * const decisions = metrics.counter({ name: 'decisions_total', help: 'Decisions made.', labels: ['verdict'] })
 * decisions.inc({ verdict: 'allow' })
 */
export interface Metrics {
  counter<const L extends string = never>(spec: MetricSpec<L>): Counter<L>
  gauge<const L extends string = never>(spec: MetricSpec<L>): Gauge<L>
  histogram<const L extends string = never>(spec: HistogramSpec<L>): Histogram<L>
  /** All metrics in Prometheus' text format. */
  text(): Promise<string>
  /** The media type of `text`. */
  readonly contentType: string
}

/** Upper bounds in seconds, from 0.1 ms to 10 s. */
export const SECONDS_BUCKETS: readonly number[] = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
]

/** Discards everything. */
export const noMetrics: Metrics = {
  counter: () => ({ inc: () => {} }),
  gauge: () => ({ set: () => {} }),
  histogram: () => ({ observe: () => {} }),
  text: async () => '',
  contentType: 'text/plain',
}

type LabelsOf<S> = S extends { readonly labels: readonly (infer L extends string)[] } ? L : never

/** The metrics of a table of specs, ready to record. */
export type Instruments<T> = {
  readonly [K in keyof T]: T[K] extends { readonly kind: 'counter' }
    ? Counter<LabelsOf<T[K]>>
    : T[K] extends { readonly kind: 'gauge' }
      ? Gauge<LabelsOf<T[K]>>
      : Histogram<LabelsOf<T[K]>>
}

/** Rows of a table of specs: name without the prefix, help, labels. */
export const counter = <const L extends readonly string[]>(name: string, help: string, ...labels: L) =>
  ({ kind: 'counter', name, help, labels }) as const
export const gauge = <const L extends readonly string[]>(name: string, help: string, ...labels: L) =>
  ({ kind: 'gauge', name, help, labels }) as const
export const histogram = <const L extends readonly string[]>(
  name: string,
  help: string,
  buckets: readonly number[],
  ...labels: L
) => ({ kind: 'histogram', name, help, buckets, labels }) as const

type Row = ReturnType<typeof counter> | ReturnType<typeof gauge> | ReturnType<typeof histogram>

/**
 * Creates every metric of `table`.
 *
 * @example
 * const { decisions } = createInstruments(metrics, { decisions: counter('decisions_total', 'Decisions made.', 'verdict') })
 */
export function createInstruments<const T extends Readonly<Record<string, Row>>>(
  metrics: Metrics,
  table: T,
): Instruments<T> {
  const made = Object.entries(table).map(([key, row]) => [
    key,
    row.kind === 'histogram' ? metrics.histogram(row) : metrics[row.kind](row),
  ])
  return Object.fromEntries(made) as Instruments<T>
}
