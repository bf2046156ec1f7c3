import type { Answer } from '@plimsoll/client'
import {
  type HistogramSpec,
  type Logger,
  type MetricSpec,
  type Metrics,
  SECONDS_BUCKETS,
} from '@plimsoll/runtime'

/** Names are without the prefix. */
const SPECS = {
  events: {
    name: 'gateway_events_total',
    help: 'Events received over streams: `taken`, or the error code of a refused event.',
    labels: ['outcome'],
  },
  unknownSignals: {
    name: 'gateway_unknown_signals_total',
    help: 'Signals dropped from accepted events because their names are unknown, by type of event.',
    labels: ['type'],
  },
  decisions: {
    name: 'gateway_decisions_total',
    help: 'Decisions sent to clients over streams.',
  },
  dropped: {
    name: 'gateway_connections_dropped_total',
    help: 'Streams ended because their principal had too many bytes in flight.',
  },
  readerErrors: {
    name: 'gateway_reader_errors_total',
    help: 'Steps with the worst labels because a reader of their arguments threw, which is a fault of Plimsoll. The first is logged.',
  },
  connections: { name: 'gateway_connections', help: 'Open streams.' },
  ready: {
    name: 'gateway_ready',
    help: '1 while the gateway serves agents, reads the decisions and reaches its lineages.',
  },
  requests: {
    name: 'http_requests_total',
    help: 'Requests of the HTTP check, by operation and status.',
    labels: ['operation', 'status'],
  },
  checks: {
    name: 'http_checks_total',
    help: 'HTTP checks, by verdict and by what gave it: a decision, or a fail mode.',
    labels: ['verdict', 'by'],
  },
  seconds: {
    name: 'http_check_seconds',
    help: 'Time from an HTTP check to its verdict, without the time that humans take.',
    buckets: SECONDS_BUCKETS,
  },
  mcpCalls: {
    name: 'mcp_calls_total',
    help: 'Tool calls through the MCP proxy, by outcome.',
    labels: ['outcome'],
  },
  mcpWithheld: {
    name: 'mcp_tools_withheld_total',
    help: 'Tools withheld from agents: new or changed since they were approved, unlabelled, or without a usable name.',
    labels: ['reason'],
  },
} as const satisfies Readonly<Record<string, MetricSpec<string> | HistogramSpec<string>>>

export const GATEWAY_METRICS: readonly MetricSpec<string>[] = Object.values(SPECS)

export type StreamMetrics = ReturnType<typeof createStreamMetrics>

export function createStreamMetrics(metrics: Metrics) {
  const events = metrics.counter(SPECS.events)
  const unknownSignals = metrics.counter(SPECS.unknownSignals)
  const decisions = metrics.counter(SPECS.decisions)
  const dropped = metrics.counter(SPECS.dropped)
  const connections = metrics.gauge(SPECS.connections)
  return {
    /** `taken`, or the error code. */
    event: (outcome: string): void => events.inc({ outcome }),
    droppedSignals: (type: string, count: number): void => unknownSignals.inc({ type }, count),
    decision: (): void => decisions.inc({}),
    dropped: (): void => dropped.inc({}),
    connections: (count: number): void => connections.set({}, count),
  }
}

export type CheckMetrics = ReturnType<typeof createCheckMetrics>

export function createCheckMetrics(metrics: Metrics) {
  const requests = metrics.counter(SPECS.requests)
  const checks = metrics.counter(SPECS.checks)
  const seconds = metrics.histogram(SPECS.seconds)
  return {
    answered: (operation: string, status: number): void =>
      requests.inc({ operation, status: String(status) }),
    /** A proposal answered after `took` seconds, without the time that humans take. */
    checked: ({ verdict, by }: Pick<Answer, 'verdict' | 'by'>, took: number): void => {
      checks.inc({ verdict, by })
      seconds.observe({}, took)
    },
  }
}

/** What became of an MCP tool call. */
export type McpOutcome = 'ran' | 'failed' | 'blocked' | 'asked' | 'withheld' | 'refused'

/** `twice`: its server lists two tools of that name. `unnamed`: its name cannot be used. */
export type WithheldReason = 'new' | 'changed' | 'unlabelled' | 'twice' | 'unnamed'

export function createMcpMetrics(metrics: Metrics) {
  const calls = metrics.counter(SPECS.mcpCalls)
  const withheld = metrics.counter(SPECS.mcpWithheld)
  return {
    called: (outcome: McpOutcome): void => calls.inc({ outcome }),
    withheld: (reason: WithheldReason): void => withheld.inc({ reason }),
  }
}

/** Counts readers of arguments that threw, and logs the first. */
export function createReaderErrors(metrics: Metrics, logger: Logger): (error: unknown) => void {
  const errors = metrics.counter(SPECS.readerErrors)
  let isFirst = true
  return (error) => {
    errors.inc({})
    if (isFirst) logger.error('a reader of arguments threw: its steps have the worst labels', { error })
    isFirst = false
  }
}

/** Sets the readiness gauge. */
export function createReadyGauge(metrics: Metrics): (isReady: boolean) => void {
  const ready = metrics.gauge(SPECS.ready)
  return (isReady) => ready.set({}, isReady ? 1 : 0)
}
