import type { MetricSpec, Metrics } from '@plimsoll/runtime'
import { CHECK_METRICS } from '../check/metrics.js'

/** What the gateway counts. Names are without the prefix. */
export const COUNTERS = {
  events: {
    name: 'gateway_events_total',
    help: 'Events that came over streams: `taken`, or the error code for which they were not.',
    labels: ['outcome'],
  },
  decisions: {
    name: 'gateway_decisions_total',
    help: 'Decisions sent to clients that wait for them over a stream.',
  },
  dropped: {
    name: 'gateway_connections_dropped_total',
    help: 'Streams that were ended because their principal had more bytes under way than it may.',
  },
} as const satisfies Readonly<Record<string, MetricSpec<string>>>

/** What the gateway tells as it stands. */
export const GAUGES = {
  connections: { name: 'gateway_connections', help: 'Streams that are open.' },
  ready: { name: 'gateway_ready', help: '1 while the gateway serves agents and reads the decisions.' },
} as const satisfies Readonly<Record<string, MetricSpec<string>>>

/** Every metric of a gateway but those of MCP and of spans. */
export const GATEWAY_METRICS: readonly MetricSpec<string>[] = [
  ...Object.values(COUNTERS),
  ...Object.values(GAUGES),
  ...Object.values(CHECK_METRICS),
]

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
