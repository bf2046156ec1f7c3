import type { Metrics } from '@plimsoll/runtime'

/** `metrics`, with each value that is observed in the histogram `name` shown to `onValue` as well. */
export function tapHistogram(metrics: Metrics, name: string, onValue: (value: number) => void): Metrics {
  return {
    counter: (spec) => metrics.counter(spec),
    gauge: (spec) => metrics.gauge(spec),
    histogram: (spec) => {
      const histogram = metrics.histogram(spec)
      if (spec.name !== name) return histogram
      return {
        observe: (labels, value) => {
          onValue(value)
          histogram.observe(labels, value)
        },
      }
    },
    text: () => metrics.text(),
    contentType: metrics.contentType,
  }
}
