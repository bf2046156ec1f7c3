import type { Answer } from '@plimsoll/client'
import { type HistogramSpec, SECONDS_BUCKETS, type Metrics, type MetricSpec } from '@plimsoll/runtime'

/** What it measures. Names are without the prefix. */
export const CHECK_METRICS = {
  requests: {
    name: 'http_requests_total',
    help: 'Requests of the HTTP check, by what they ask and the status of the answer.',
    labels: ['operation', 'status'],
  },
  checks: {
    name: 'http_checks_total',
    help: 'Steps that were asked about over HTTP, by verdict and by who gave it: a decision, or a fail mode.',
    labels: ['verdict', 'by'],
  },
  seconds: {
    name: 'http_check_seconds',
    help: 'From a step that is asked about over HTTP to its verdict; waiting for humans is not in it.',
    buckets: SECONDS_BUCKETS,
  },
} as const satisfies Readonly<Record<string, MetricSpec<string> | HistogramSpec<string>>>

/** What the HTTP check measures; its parts call these and hold no metric themselves. */
export interface CheckMetrics {
  /** A request that was answered. */
  answered(operation: string, status: number): void
  /** A proposal that was answered, `seconds` after it came; waiting for humans is not in it. */
  checked(answer: Pick<Answer, 'verdict' | 'by'>, seconds: number): void
}

export function createCheckMetrics(metrics: Metrics): CheckMetrics {
  const requests = metrics.counter(CHECK_METRICS.requests)
  const checks = metrics.counter(CHECK_METRICS.checks)
  const seconds = metrics.histogram(CHECK_METRICS.seconds)
  return {
    answered: (operation, status) => requests.inc({ operation, status: String(status) }),
    checked: ({ verdict, by }, took) => {
      checks.inc({ verdict, by })
      seconds.observe({}, took)
    },
  }
}
