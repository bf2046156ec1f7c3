import { PlimsollError } from '@plimsoll/contracts'
import * as prometheus from 'prom-client'
import type { MetricSpec, Metrics } from './metrics.js'

export interface PrometheusOptions {
  /** Prefix of each name; `plimsoll_` by default. */
  readonly prefix?: string
  /** Whether to add metrics of the process (CPU, memory, event loop, GC) without the prefix; true by default. */
  readonly hasProcessMetrics?: boolean
}

const NAME = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/
/** Labels with as many values as there are sessions. */
const UNBOUNDED_LABEL = /(^|_)(session|event|call|decision|approval|user|trace|span)(_?id)?$/

/**
 * Prometheus metrics in their own registry. Creating a metric throws `config_invalid` if its name breaks the conventions of `MetricSpec`
 * or is taken: programming errors, found at start.
 */
export function createMetrics(options: PrometheusOptions = {}): Metrics {
  const { prefix = 'plimsoll_', hasProcessMetrics = true } = options
  const registry = new prometheus.Registry()
  if (hasProcessMetrics) prometheus.collectDefaultMetrics({ register: registry })
  const shape = <L extends string>(spec: MetricSpec<L>, unit?: string) => {
    assertConventions(spec, unit)
    const name = `${prefix}${spec.name}`
    if (registry.getSingleMetric(name)) throw wrong(`metric \`${name}\` already exists`)
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
  if (!NAME.test(name)) throw wrong(`metric \`${name}\`: expected lower-case words joined by _`)
  if (unit !== undefined && !name.endsWith(`_${unit}`))
    throw wrong(`metric \`${name}\`: expected to end in _${unit}`)
  const unbounded = labels.find((label) => UNBOUNDED_LABEL.test(label))
  if (unbounded !== undefined)
    throw wrong(`metric \`${name}\`: label \`${unbounded}\` has an unbounded number of values`)
}

const wrong = (message: string) => new PlimsollError('config_invalid', message)
