import type { Counter, Gauge, Histogram, Metrics } from '@plimsoll/runtime'
import { COUNTERS, GAUGES, HISTOGRAMS } from './specs.js'

type LabelOf<S> = S extends { readonly labels: readonly (infer L extends string)[] } ? L : never

type Counters = { readonly [K in keyof typeof COUNTERS]: Counter<LabelOf<(typeof COUNTERS)[K]>> }
type Gauges = { readonly [K in keyof typeof GAUGES]: Gauge<LabelOf<(typeof GAUGES)[K]>> }
type Histograms = { readonly [K in keyof typeof HISTOGRAMS]: Histogram<LabelOf<(typeof HISTOGRAMS)[K]>> }

/** The metrics of `specs.ts`, ready to count. */
export type Instruments = Counters & Gauges & Histograms

export function createInstruments(metrics: Metrics): Instruments {
  return {
    ...(made(COUNTERS, metrics.counter) as Counters),
    ...(made(GAUGES, metrics.gauge) as Gauges),
    ...(made(HISTOGRAMS, metrics.histogram) as Histograms),
  }
}

function made<S>(specs: Readonly<Record<string, S>>, make: (spec: S) => unknown): unknown {
  return Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, make(spec)]))
}
