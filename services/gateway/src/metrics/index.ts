import type { Metrics } from '@plimsoll/runtime'
import { COUNTERS, GAUGES } from './specs.js'

export { GATEWAY_METRICS } from './specs.js'

/** What the gateway measures; its parts call these and hold no metric themselves. */
export interface GatewayMetrics {
  /** `taken`, or the code for which it was not. */
  event(outcome: string): void
  decision(): void
  connections(count: number): void
  /** A stream was ended because its principal had more bytes under way than it may. */
  dropped(): void
}

export function createGatewayMetrics(metrics: Metrics): GatewayMetrics {
  const events = metrics.counter(COUNTERS.events)
  const decisions = metrics.counter(COUNTERS.decisions)
  const dropped = metrics.counter(COUNTERS.dropped)
  const connections = metrics.gauge(GAUGES.connections)
  return {
    event: (outcome) => events.inc({ outcome }),
    decision: () => decisions.inc({}),
    dropped: () => dropped.inc({}),
    connections: (count) => connections.set({}, count),
  }
}
