import type { Metrics } from '@plimsoll/runtime'
import { waitUntil } from './wait-until.js'

/** Resolves when the text of `metrics` matches: counters change after the commit. */
export function untilMetric(metrics: Pick<Metrics, 'text'>, pattern: RegExp): Promise<void> {
  return waitUntil(`metrics that match ${pattern.source}`, async () => pattern.test(await metrics.text()))
}
