/** Rates over Grafana's interval, and other shapes that many panels share. `of` is a metric's name with its selector's inside. */

/** The metric `name`, of the deployments chosen at the top of the dashboard. */
export const metric = (name: string, selector = ''): string =>
  `${name}{job=~"$job"${selector === '' ? '' : `, ${selector}`}}`

/** Per second, by `labels`. */
export const rateBy = (labels: string, name: string, selector = ''): string =>
  `sum by (${labels}) (rate(${metric(name, selector)}[$__rate_interval]))`

/** Within the time shown, by `labels`; a series that has begun within it counts whole. */
export const countBy = (labels: string, name: string, selector = ''): string => {
  const series = metric(name, selector)
  return `sum by (${labels}) ((increase(${series}[$__range]) and ${series} offset $__range) or max_over_time(${series}[$__range]))`
}

/** The `quantile` of a histogram, by `labels`. */
export const quantile = (q: number, name: string, labels = ''): string =>
  `histogram_quantile(${q}, ${rateBy(labels === '' ? 'le' : `le, ${labels}`, `${name}_bucket`)})`

/** A gauge by partition: the owner's value, for who gave the partition away says 0. */
export const byPartition = (name: string): string => `max by (partition) (${metric(name)})`

/** 0 where there is no series at all. Only for what is counted from its first time on, where none means none. */
export const orZero = (expr: string): string => `${expr} or on() vector(0)`
