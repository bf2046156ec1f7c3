import { once } from 'node:events'
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import { PlimsollError } from '@plimsoll/contracts'
import { within } from '../timing.js'
import type { Metrics } from './metrics.js'

/** Why a process cannot serve, on one line; undefined while it can. A rejection counts as a reason, as does no answer within 800 ms. */
export type NotReady = () => Promise<string | undefined> | string | undefined

export interface HttpOptions {
  /** `127.0.0.1` by default. */
  readonly host?: string
  /** 0 for any free port. */
  readonly port: number
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>
  readonly notReady: NotReady
}

export interface HttpServer {
  readonly host: string
  readonly port: number
  /** For example `http://127.0.0.1:9464`. */
  readonly url: string
  /** Ends open connections and stops listening. Harmless a second time. */
  close(): Promise<void>
}

/**
 * Serves `/metrics`, `/healthz` (always 200, so that an outage of Kafka or Redis restarts no process) and `/readyz` (200, or 503 with
 * the reason, within a second).
 * Rejects with `config_invalid` where it cannot listen; see `isAddressInUse`.
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

/** What a server of another library has to listen with; resolves with its URL. */
interface Listener {
  listen(options: { readonly host: string; readonly port: number }): Promise<string>
}

/** Listens and returns the URL; on `portIfTaken` if another process has `port`. Rejects with `config_invalid`. */
export async function listen(
  server: Listener,
  host: string,
  port: number,
  portIfTaken?: number,
): Promise<string> {
  try {
    return await server.listen({ host, port })
  } catch (cause) {
    const error = cannotListen(host, port, cause)
    if (portIfTaken === undefined || !isAddressInUse(error)) throw error
    return listen(server, host, portIfTaken)
  }
}

/** Whether `serveHttp` or `listen` failed because another process uses the port. */
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
    // The readiness gauge is set by `notReady`, so a scrape calls it too: there may be no probes.
    await reasonOf(options)
    return send(response, 200, await options.metrics.text(), options.metrics.contentType)
  }
  if (path === '/healthz') return send(response, 200, 'alive\n')
  if (path === '/readyz') {
    const reason = await reasonOf(options)
    return reason === undefined
      ? send(response, 200, 'ready\n')
      : send(response, 503, `not ready: ${reason}\n`)
  }
  send(response, 404, 'not found: try /metrics, /healthz or /readyz\n')
}

/** Less than a second, which a probe may have for all. */
const REASON_MS_MAX = 800
const PING_MS_MAX = 500

async function reasonOf({ notReady }: HttpOptions): Promise<string | undefined> {
  try {
    const late = `no answer of its own within ${REASON_MS_MAX} ms`
    return await within(REASON_MS_MAX, Promise.resolve(notReady()), late)
  } catch (error) {
    return messageOf(error)
  }
}

/** Why `store` cannot be used, within 500 ms; undefined if it answers. */
export async function storeMissing(store: { ping(): Promise<void> }): Promise<string | undefined> {
  try {
    const late = `Redis does not answer within ${PING_MS_MAX} ms`
    return await within(
      PING_MS_MAX,
      store.ping().then(() => undefined),
      late,
    )
  } catch (error) {
    return messageOf(error)
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

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
