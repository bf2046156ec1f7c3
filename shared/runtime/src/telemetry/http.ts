import { once } from 'node:events'
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import { PlimsollError } from '@plimsoll/contracts'

export interface HttpOptions {
  /** `127.0.0.1` by default. */
  readonly host?: string
  /** 0 for any that is free. */
  readonly port: number
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>
  /** Whether the process is of use to those who ask it; a rejection counts as no. Must not take longer than a probe waits. */
  readonly isReady: () => Promise<boolean> | boolean
}

export interface HttpServer {
  readonly host: string
  readonly port: number
  /** Such as `http://127.0.0.1:9464`. */
  readonly url: string
  /** Ends open connections and stops listening. Harmless a second time. */
  close(): Promise<void>
}

/**
 * Serves `/metrics`, `/healthz` (the process answers: always 200, so that no outage of a neighbour has it restarted) and `/readyz`
 * (200 or 503). Rejects with `config_invalid` where it cannot listen; `isAddressInUse` tells a taken port from the rest.
 */
export async function serveHttp(options: HttpOptions): Promise<HttpServer> {
  const { host = '127.0.0.1', port } = options
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    answer(options, request, response).catch(() => response.destroy())
  })
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (cause) {
    throw cannotListen(host, port, cause)
  }
  const boundPort = portOf(server)
  const shownHost = host.includes(':') ? `[${host}]` : host
  return { host, port: boundPort, url: `http://${shownHost}:${boundPort}`, close: () => closeServer(server) }
}

/** Whether `error` tells that another process has the port: the caller may try another one. */
export function isAddressInUse(error: unknown): boolean {
  return error instanceof PlimsollError && error.details['reason'] === 'EADDRINUSE'
}

const REQUEST_TIMEOUT_MS = 10_000

async function answer(
  options: HttpOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = request.url?.split('?')[0]
  if (request.method !== 'GET' && request.method !== 'HEAD') return send(response, 405, 'only GET\n')
  if (path === '/metrics') {
    // What tells readiness as a metric is set by who asks for it: a scrape asks too, or where nobody probes it would say what it began with.
    await isReady(options)
    return send(response, 200, await options.metrics.text(), options.metrics.contentType)
  }
  if (path === '/healthz') return send(response, 200, 'alive\n')
  if (path === '/readyz')
    return (await isReady(options)) ? send(response, 200, 'ready\n') : send(response, 503, 'not ready\n')
  send(response, 404, 'not found; there are /metrics, /healthz and /readyz\n')
}

async function isReady(options: HttpOptions): Promise<boolean> {
  try {
    return await options.isReady()
  } catch {
    return false
  }
}

function send(
  response: ServerResponse,
  status: number,
  body: string,
  type = 'text/plain; charset=utf-8',
): void {
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  })
  response.end(body)
}

async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}

function portOf(server: Server): number {
  const address = server.address()
  return address !== null && typeof address === 'object' ? address.port : 0
}

function cannotListen(host: string, port: number, cause: unknown): PlimsollError {
  const reason = cause instanceof Error && 'code' in cause ? cause.code : undefined
  const why = reason === 'EADDRINUSE' ? 'the port is taken' : String(reason ?? cause)
  return new PlimsollError('config_invalid', `cannot listen on \`${host}:${port}\`: ${why}`, {
    cause,
    details: { reason },
  })
}

/** Values of the declared labels; a metric without labels takes none. */
export type Labels<L extends string> = Readonly<Record<L, string>>

export interface Counter<L extends string = never> {
  /** Adds `by`, 1 by default. */
  inc(labels: Labels<L>, by?: number): void
}

export interface Gauge<L extends string = never> {
  set(labels: Labels<L>, value: number): void
}

export interface Histogram<L extends string = never> {
  /** In the metric's base unit: seconds, bytes or a count. */
  observe(labels: Labels<L>, value: number): void
}

export interface MetricSpec<L extends string> {
  /**
   * Without the prefix. In base units with the unit last: `…_seconds`, `…_bytes`, `…_total` for counters.
   */
  readonly name: string
  readonly help: string
  /** Names of few values each. Never a session's, a call's or an event's id: each value is a series that stays. */
  readonly labels?: readonly L[]
}

export interface HistogramSpec<L extends string> extends MetricSpec<L> {
  /** Upper bounds, ascending. */
  readonly buckets: readonly number[]
}

/**
 * The port to whatever counts. Adapters: `@plimsoll/runtime/metrics`, and `noMetrics`. A name is made once; the pure parts of the
 * code hold no metrics, the parts around them do.
 *
 * @example
 * const decisions = metrics.counter({ name: 'decisions_total', help: 'Decisions made.', labels: ['verdict'] })
 * decisions.inc({ verdict: 'allow' })
 */
export interface Metrics {
  counter<const L extends string = never>(spec: MetricSpec<L>): Counter<L>
  gauge<const L extends string = never>(spec: MetricSpec<L>): Gauge<L>
  histogram<const L extends string = never>(spec: HistogramSpec<L>): Histogram<L>
  /** Everything measured, in Prometheus' text format. */
  text(): Promise<string>
  /** The media type of `text`. */
  readonly contentType: string
}

/** Upper bounds for times between a tenth of a millisecond and ten seconds, in seconds. */
export const SECONDS_BUCKETS: readonly number[] = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
]

/** Counts nothing. */
export const noMetrics: Metrics = {
  counter: () => ({ inc: () => {} }),
  gauge: () => ({ set: () => {} }),
  histogram: () => ({ observe: () => {} }),
  text: async () => '',
  contentType: 'text/plain',
}
