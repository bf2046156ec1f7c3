import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { DecisionRecord } from '@plimsoll/client/services'
import {
  type ClientFrame,
  type Decision,
  type Event,
  type GatewayFrame,
  type Inherits,
  type SentEvent,
  ERRORS,
  PlimsollError,
  clientFrameSchema,
  digestSchema,
  idSchema,
  toolNameSchema,
  unknownSignals,
} from '@plimsoll/contracts'
import { refusalOf } from '@plimsoll/engine'
import type { OutgoingRecord } from '@plimsoll/runtime'
import type { WebSocket } from 'ws'
import { z } from 'zod'
import type { Principal } from '../auth/principals.js'
import { assertExact } from '../http/exact-json.js'
import type { StreamMetrics } from '../metrics.js'
import type { DecisionRouter } from '../sessions/decision-router.js'
import type { EventIntake } from '../sessions/event-intake.js'
import { prefixOf } from '../sessions/principal-clients.js'
import type { StreamMembers } from '../sessions/stream-members.js'
import { type ConnectionBytes, CLOSE, STREAM_LIMITS } from './stream.js'

/** The members of a proposal that a refusal repeats. */
const answerableSchema = z.object({
  type: z.literal('step.proposed'),
  id: idSchema,
  sessionId: idSchema,
  callId: idSchema,
  tool: toolNameSchema,
  argumentsDigest: digestSchema,
})

/** The blocking decision on a refused proposal; undefined if the event is no proposal that can be answered. */
function refusalFor(
  { event }: SentEvent,
  { code, message }: { readonly code: string; readonly message: string },
  timeMs: number,
): Decision | undefined {
  const { data } = answerableSchema.safeParse(event)
  if (!data) return undefined
  const refusal = refusalOf(data, { code: 'schema_invalid', message }, timeMs)
  const reasons: Decision['reasons'] = [{ source: 'malformed', code, verdict: 'block', message }]
  // The engine knows the codes of events only; a gateway has others.
  const alternative = HELP.get(code) ?? refusal.alternative
  return { ...refusal, reasons, ...(alternative !== undefined && { alternative }) }
}

const HELP: ReadonlyMap<string, string> = new Map(
  Object.entries(ERRORS).map(([code, { help }]) => [code, help]),
)

export interface ConnectionOptions {
  readonly socket: WebSocket
  readonly bytes: ConnectionBytes
  readonly principal: Principal
  readonly intake: EventIntake
  /** For an agent, whose sessions share what they learn. */
  readonly members?: StreamMembers | undefined
  readonly router: DecisionRouter
  readonly metrics: StreamMetrics
  readonly now: () => number
}

/** The accepted events of a frame, and the sessions that they end. */
interface Batch {
  readonly records: OutgoingRecord[]
  readonly ended: string[]
}

/**
 * Serves one connection of a principal: publishes its events and returns the decisions on its sessions. Reads no faster than the log
 * accepts. Closes if the client does not read; it then reconnects and asks again.
 */
export function serveConnection(options: ConnectionOptions): void {
  const { socket, bytes, principal, intake, members, router, metrics, now } = options
  const prefix = prefixOf(principal)
  const sessions = new Set<string>()
  let inFlight = 0
  let turn: Promise<unknown> = Promise.resolve()

  function send(frame: GatewayFrame): void {
    if (socket.readyState !== socket.OPEN) return
    if (socket.bufferedAmount > STREAM_LIMITS.bufferedBytesMax) return socket.close(CLOSE.slow, 'read faster')
    socket.send(JSON.stringify(frame))
  }

  function deliver(record: DecisionRecord): void {
    if (!members) return sendDecision(record)
    inTurn(() => members.received(record)).then(
      () => sendDecision(record),
      // The agent must not get a decision that its other sessions cannot know about. It reconnects and asks again.
      () => socket.close(CLOSE.slow, 'the state of the session cannot be stored'),
    )
  }

  function sendDecision({ key, value }: DecisionRecord): void {
    if (key === null || value === null) return
    metrics.decision()
    send({ type: 'decision', sessionId: key, decision: value.toString('utf8') })
  }

  function claim(sessionId: string): void {
    if (sessions.has(sessionId)) return
    const [oldest] = sessions
    if (sessions.size >= STREAM_LIMITS.sessionsMax && oldest !== undefined) {
      router.release(oldest, deliver)
      sessions.delete(oldest)
    }
    sessions.add(sessionId)
    router.claim(sessionId, deliver)
  }

  /** Adds an event to `batch` and returns it as it is published; refuses it otherwise. */
  function take(sent: SentEvent, batch: Batch, known?: Inherits): Event | undefined {
    const taken = intake(sent, known)
    if ('fault' in taken) {
      metrics.event(taken.fault.code)
      const refusal = refusalFor(sent, taken.fault, now())
      if (refusal) send({ type: 'decision', sessionId: refusal.sessionId, decision: JSON.stringify(refusal) })
      return undefined
    }
    metrics.event('taken')
    const { sessionId, type } = taken.event
    const { length: dropped } = unknownSignals(sent.event)
    if (dropped > 0) metrics.droppedSignals(type, dropped)
    claim(sessionId)
    if (type === 'session.ended') batch.ended.push(sessionId)
    batch.records.push(taken.record)
    return taken.event
  }

  /** Runs `work` after all earlier work: an event may change what the next one inherits. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = turn.then(work)
    turn = done.catch(() => {})
    return done
  }

  async function takeAll(events: readonly SentEvent[], batch: Batch): Promise<void> {
    let begun = performance.now()
    for (const sent of events) {
      const { sessionId, type } = sent.event
      const known = sessionId.startsWith(prefix) ? await members?.before(sessionId, type) : undefined
      const event = take(sent, batch, known)
      if (event) await members?.taken(event)
      // A frame may hold hundreds of events with texts: other connections get a turn.
      if (performance.now() - begun < STREAM_LIMITS.turnMs) continue
      await nextTurn()
      begun = performance.now()
    }
  }

  async function publish({ id, events }: Extract<ClientFrame, { type: 'events' }>): Promise<void> {
    const batch: Batch = { records: [], ended: [] }
    try {
      // In turn up to the produce, so that frames reach the log in order; in an object, so that the next frame does not wait for it.
      const { produced } = await inTurn(async () => {
        await takeAll(events, batch)
        return { produced: batch.records.length > 0 ? router.send(batch.records) : undefined }
      })
      await produced
      for (const sessionId of batch.ended) if (sessions.delete(sessionId)) router.end(sessionId)
    } catch (cause) {
      const { code, message } =
        cause instanceof PlimsollError
          ? cause
          : new PlimsollError('log_unavailable', 'the log did not take the events', { cause })
      return send({ type: 'failed', id, error: { code, message } })
    }
    send({ type: 'ack', id })
  }

  async function receive(data: Buffer): Promise<void> {
    bytes.framed(data.length)
    const frame = frameIn(data)
    if (typeof frame === 'string') return socket.close(CLOSE.invalid, frame)
    inFlight++
    if (isFull()) socket.pause()
    try {
      if (frame.type === 'events') await publish(frame)
      else for (const sessionId of frame.sessions) if (sessionId.startsWith(prefix)) claim(sessionId)
    } finally {
      inFlight--
      bytes.done(data.length)
      if (socket.isPaused && !isFull()) socket.resume()
    }
  }

  /** Never true without a frame in flight: nothing would resume the socket. */
  const isFull = () => inFlight > 0 && (inFlight >= STREAM_LIMITS.inFlightMax || bytes.isFull())

  async function expire(atMs: number): Promise<void> {
    const gone = new AbortController()
    socket.once('close', () => gone.abort())
    await sleep(Math.max(0, atMs - now()), undefined, { signal: gone.signal, ref: false }).catch(() => {})
    if (!gone.signal.aborted) socket.close(CLOSE.expired, 'the token has expired')
  }

  socket.on('message', (data) => {
    receive(toBuffer(data)).catch(() => socket.terminate())
  })
  // Every error of a socket ends in `close`.
  socket.on('error', () => {})
  socket.once('close', () => {
    for (const sessionId of sessions) router.release(sessionId, deliver)
    sessions.clear()
  })
  if (principal.expiresAtMs !== undefined) void expire(principal.expiresAtMs)
  send({
    type: 'welcome',
    principal: principal.name,
    trust: principal.trust,
    sessionPrefix: prefix,
    inFlightMax: STREAM_LIMITS.inFlightMax,
  })
}

/** Longest reason of a close frame, bytes. */
const REASON_BYTES_MAX = 123

/** The frame in `data`, or why it is none. */
function frameIn(data: Buffer): ClientFrame | string {
  const invalid = 'not a frame of `plimsoll.v1`'
  try {
    return clientFrameSchema.safeParse(JSON.parse(assertExact(data))).data ?? invalid
  } catch (error) {
    if (!(error instanceof PlimsollError)) return invalid
    return Buffer.from(error.message)
      .subarray(0, REASON_BYTES_MAX - 3)
      .toString('utf8')
  }
}

const toBuffer = (data: Buffer | ArrayBuffer | Buffer[]): Buffer =>
  Array.isArray(data) ? Buffer.concat(data) : Buffer.isBuffer(data) ? data : Buffer.from(data)
