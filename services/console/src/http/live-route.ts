import type { FastifyReply, FastifyRequest } from 'fastify'
import { PlimsollError } from '@plimsoll/contracts'
import type { Clock } from '@plimsoll/runtime'
import type { LiveHello } from '../api.js'
import { type LiveEvent, type LiveFeed, READERS_MAX, READERS_OF_USER_MAX } from '../live/live-feed.js'
import type { ConsoleMetrics } from '../metrics.js'
import { SECURITY_HEADERS } from './security.js'

/** A comment is sent this often, so that proxies keep the connection, milliseconds. */
const HEARTBEAT_MS = 15_000
/** After how long the browser reconnects, milliseconds. */
const RETRY_MS = 1_000

export interface LiveRouteOptions {
  /** Name of who reads. */
  readonly user: string
  readonly isWanted: (event: LiveEvent) => boolean
  /** Asked at each heartbeat. */
  readonly isLoggedIn: () => boolean
  readonly feed: LiveFeed
  readonly metrics: ConsoleMetrics
  readonly clock: Clock
}

/** Sends live events until the reader leaves, reads too slowly, or logs out. */
export function serveLive(
  request: FastifyRequest,
  reply: FastifyReply,
  { user, isWanted, isLoggedIn, feed, metrics, clock }: LiveRouteOptions,
): void {
  if (feed.readers() >= READERS_MAX)
    throw new PlimsollError('queue_full', `${READERS_MAX} pages follow live, the limit`)
  if (feed.readersOf(user) >= READERS_OF_USER_MAX)
    throw new PlimsollError(
      'queue_full',
      `${READERS_OF_USER_MAX} of your pages follow live, the limit: close some`,
    )
  const { 'last-event-id': lastId } = request.headers
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, {
    ...SECURITY_HEADERS,
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  const hello = (isGap: boolean): void => {
    const body: LiveHello = { isGap, now: clock.now() }
    raw.write(`event: hello\ndata: ${JSON.stringify(body)}\n\n`)
  }
  const { isGap, start } = feed.subscribe(typeof lastId === 'string' ? lastId : undefined, {
    user,
    isWanted,
    send: ({ id, name, data }) => raw.write(`id: ${id}\nevent: ${name}\ndata: ${data}\n\n`),
    onGap: () => hello(true),
    onEnd: () => {
      metrics.cutOff()
      raw.destroy()
    },
  })
  raw.write(`retry: ${RETRY_MS}\n\n`)
  hello(isGap)
  const subscription = start()
  metrics.readers(feed.readers())
  const heartbeat = setInterval(() => {
    if (isLoggedIn()) raw.write(': still here\n\n')
    // Not `end`, which waits for a reader that does not read.
    else raw.destroy()
  }, HEARTBEAT_MS)
  raw.on('drain', subscription.resume)
  raw.once('close', () => {
    clearInterval(heartbeat)
    subscription.close()
    metrics.readers(feed.readers())
  })
}
