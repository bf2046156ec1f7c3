import { PlimsollError } from '@plimsoll/contracts'
import * as prometheus from 'prom-client'
import type { MetricSpec, Metrics } from '../telemetry/http.js'

export interface PrometheusOptions {
  /** Stands before each name; `plimsoll_` by default. */
  readonly prefix?: string
  /** Whether the process's own metrics (CPU, memory, event loop, collections) are there too, without the prefix; true by default. */
  readonly hasProcessMetrics?: boolean
}

const NAME = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/
/** A label of this kind has as many values as there are sessions. */
const UNBOUNDED_LABEL = /(^|_)(session|event|call|decision|approval|user|trace|span)(_?id)?$/

/**
 * Metrics in a registry of their own. Throws `config_invalid` for a name that does not fit the conventions of `MetricSpec` or stands
 * already: both are mistakes of the program, found when it starts.
 */
export function createMetrics(options: PrometheusOptions = {}): Metrics {
  const { prefix = 'plimsoll_', hasProcessMetrics = true } = options
  const registry = new prometheus.Registry()
  if (hasProcessMetrics) prometheus.collectDefaultMetrics({ register: registry })
  const shape = <L extends string>(spec: MetricSpec<L>, unit?: string) => {
    assertConventions(spec, unit)
    const name = `${prefix}${spec.name}`
    if (registry.getSingleMetric(name)) throw wrong(`metric \`${name}\` stands already`)
    return { name, help: spec.help, labelNames: spec.labels ?? [], registers: [registry] }
  }
  return {
    counter: (spec) => {
      const counter = new prometheus.Counter(shape(spec, 'total'))
      return { inc: (labels, by = 1) => counter.inc(labels, by) }
    },
    gauge: (spec) => {
      const gauge = new prometheus.Gauge(shape(spec))
      return { set: (labels, value) => gauge.set(labels, value) }
    },
    histogram: (spec) => {
      const histogram = new prometheus.Histogram({ ...shape(spec), buckets: [...spec.buckets] })
      return { observe: (labels, value) => histogram.observe(labels, value) }
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

function assertConventions({ name, labels = [] }: MetricSpec<string>, unit?: string): void {
  if (!NAME.test(name)) throw wrong(`metric \`${name}\`: expected lower case words with _ between`)
  if (unit !== undefined && !name.endsWith(`_${unit}`))
    throw wrong(`metric \`${name}\`: expected to end in _${unit}`)
  const unbounded = labels.find((label) => UNBOUNDED_LABEL.test(label))
  if (unbounded !== undefined)
    throw wrong(`metric \`${name}\`: label \`${unbounded}\` has no bound to its values`)
}

const wrong = (message: string) => new PlimsollError('config_invalid', message)
