import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { DecisionRecord } from '@plimsoll/client'
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
} from '@plimsoll/contracts'
import { refusalOf } from '@plimsoll/engine'
import type { OutgoingRecord } from '@plimsoll/runtime'
import type { WebSocket } from 'ws'
import { z } from 'zod'
import type { Principal } from '../auth/principals-file.js'
import type { Intake } from '../intake/intake.js'
import { assertExact } from '../json/exact-json.js'
import type { StreamMembers } from '../lineage/stream-members.js'
import type { GatewayMetrics } from '../metrics/specs.js'
import { prefixOf } from '../sessions/principal-client.js'
import type { Switchboard } from '../sessions/switchboard.js'
import { type ConnectionBytes, CLOSE, STREAM_LIMITS } from './stream.js'

/** Of a proposal, what it takes to answer it. */
const answerableSchema = z.object({
  type: z.literal('step.proposed'),
  id: idSchema,
  sessionId: idSchema,
  callId: idSchema,
  tool: toolNameSchema,
  argumentsDigest: digestSchema,
})

/** The blocking decision for anyone who waits for an event that is not taken; undefined where nobody can. */
export function refusalFor(
  { event }: SentEvent,
  { code, message }: { readonly code: string; readonly message: string },
  timeMs: number,
): Decision | undefined {
  const { data } = answerableSchema.safeParse(event)
  if (!data) return undefined
  const refusal = refusalOf(data, { code: 'schema_invalid', message }, timeMs)
  const reasons: Decision['reasons'] = [{ source: 'malformed', code, verdict: 'block', message }]
  // The engine knows the codes of events alone; a gateway refuses for others too.
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
  readonly intake: Intake
  /** Of an agent, whose sessions know of each other. */
  readonly members?: StreamMembers | undefined
  readonly switchboard: Switchboard
  readonly metrics: GatewayMetrics
  readonly now: () => number
}

/** What of a frame goes on, and the sessions that end by it. */
interface Batch {
  readonly records: OutgoingRecord[]
  readonly ended: string[]
}

/**
 * One connection of one principal: its events go to the log, the decisions on its sessions come back. It reads no faster than the log
 * takes, and is closed where its other end does not read what it is sent: that one comes back, and asks what it has missed.
 */
export function serveConnection(options: ConnectionOptions): void {
  const { socket, bytes, principal, intake, members, switchboard, metrics, now } = options
  const sessions = new Set<string>()
  let inFlight = 0
  let turn: Promise<unknown> = Promise.resolve()

  function report(frame: GatewayFrame): void {
    if (socket.readyState !== socket.OPEN) return
    if (socket.bufferedAmount > STREAM_LIMITS.bufferedBytesMax) return socket.close(CLOSE.slow, 'read faster')
    socket.send(JSON.stringify(frame))
  }

  function deliver(record: DecisionRecord): void {
    if (!members) return reportDecision(record)
    inTurn(() => members.received(record)).then(
      () => reportDecision(record),
      // Its agent hears of it once that can be had: it asks again for what it has missed.
      () => socket.close(CLOSE.slow, 'what the session knows cannot be kept'),
    )
  }

  function reportDecision({ key, value }: DecisionRecord): void {
    if (key === null || value === null) return
    metrics.decision()
    report({ type: 'decision', sessionId: key, decision: value.toString('utf8') })
  }

  function claim(sessionId: string): void {
    if (sessions.has(sessionId)) return
    if (sessions.size >= STREAM_LIMITS.sessionsMax) for (const oldest of sessions) if (release(oldest)) break
    sessions.add(sessionId)
    switchboard.claim(sessionId, deliver)
  }

  function release(sessionId: string): boolean {
    switchboard.release(sessionId, deliver)
    return sessions.delete(sessionId)
  }

  function refuse(sent: SentEvent, fault: { readonly code: string; readonly message: string }): void {
    metrics.event(fault.code)
    const refusal = refusalFor(sent, fault, now())
    if (refusal) report({ type: 'decision', sessionId: refusal.sessionId, decision: JSON.stringify(refusal) })
  }

  /** Adds to `batch` what is taken of `sent`; gives the event that was. */
  function takeIn(sent: SentEvent, batch: Batch, known?: Inherits): Event | undefined {
    const taken = intake(sent, known)
    if ('fault' in taken) {
      refuse(sent, taken.fault)
      return undefined
    }
    metrics.event('taken')
    const { sessionId, type } = taken.event
    claim(sessionId)
    if (type === 'session.ended') batch.ended.push(sessionId)
    batch.records.push(taken.record)
    return taken.event
  }

  /** What one event changes the next one meets, also where that takes its time. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = turn.then(work)
    turn = done.catch(() => {})
    return done
  }

  /** One after the other, for each may change what the next one's session is to know. */
  async function takeInKnowing(events: readonly SentEvent[], batch: Batch, of: StreamMembers): Promise<void> {
    const prefix = prefixOf(principal)
    for (const sent of events) {
      const { sessionId, type } = sent.event
      const known = sessionId.startsWith(prefix) ? await of.before(sessionId, type) : undefined
      const event = takeIn(sent, batch, known)
      if (event) await of.taken(event)
    }
  }

  /** Others get a turn between events: a frame may hold hundreds of them, each with texts. */
  async function takeInAll(events: readonly SentEvent[], batch: Batch): Promise<void> {
    let begun = performance.now()
    for (const sent of events) {
      if (performance.now() - begun >= STREAM_LIMITS.turnMs) {
        await nextTurn()
        begun = performance.now()
      }
      takeIn(sent, batch)
    }
  }

  /** Hands them to the log at once, in their order. */
  const send = ({ records }: Batch): { readonly sent: Promise<void> } => ({
    sent: records.length > 0 ? switchboard.send(records) : Promise.resolve(),
  })

  async function publish({ id, events }: Extract<ClientFrame, { type: 'events' }>): Promise<void> {
    const batch: Batch = { records: [], ended: [] }
    try {
      const { sent } = await inTurn(async () => {
        await (members ? takeInKnowing(events, batch, members) : takeInAll(events, batch))
        return send(batch)
      })
      await sent
      for (const sessionId of batch.ended) if (sessions.delete(sessionId)) switchboard.end(sessionId)
    } catch (error) {
      const { code, message } = error instanceof PlimsollError ? error : asUnavailable(error)
      return report({ type: 'failed', id, error: { code, message } })
    }
    report({ type: 'ack', id })
  }

  async function take(frame: ClientFrame): Promise<void> {
    if (frame.type === 'events') return publish(frame)
    const prefix = prefixOf(principal)
    for (const sessionId of frame.sessions) if (sessionId.startsWith(prefix)) claim(sessionId)
  }

  async function hear(data: Buffer): Promise<void> {
    bytes.framed(data.length)
    const frame = frameIn(data)
    if (typeof frame === 'string') return socket.close(CLOSE.invalid, frame)
    inFlight++
    if (isFull()) socket.pause()
    try {
      await take(frame)
    } finally {
      inFlight--
      bytes.done(data.length)
      if (socket.isPaused && !isFull()) socket.resume()
    }
  }

  /** Where no frame is under way nothing would have the socket go on. */
  const isFull = () => inFlight > 0 && (inFlight >= STREAM_LIMITS.inFlightMax || bytes.isFull())

  async function expire(atMs: number): Promise<void> {
    const gone = new AbortController()
    socket.once('close', () => gone.abort())
    await sleep(Math.max(0, atMs - now()), undefined, { signal: gone.signal, ref: false }).catch(() => {})
    if (!gone.signal.aborted) socket.close(CLOSE.expired, 'the token has expired')
  }

  socket.on('message', (data) => {
    hear(asBuffer(data)).catch(() => socket.terminate())
  })
  // What goes wrong with a socket ends in its close.
  socket.on('error', () => {})
  socket.once('close', () => {
    for (const sessionId of sessions) switchboard.release(sessionId, deliver)
    sessions.clear()
  })
  if (principal.expiresAtMs !== undefined) void expire(principal.expiresAtMs)
  report({
    type: 'welcome',
    principal: principal.name,
    trust: principal.trust,
    sessionPrefix: prefixOf(principal),
    inFlightMax: STREAM_LIMITS.inFlightMax,
  })
}

/** A close frame says no more, bytes. */
const REASON_BYTES_MAX = 123

/** The frame in `data`, or why there is none. */
function frameIn(data: Buffer): ClientFrame | string {
  try {
    return clientFrameSchema.safeParse(JSON.parse(assertExact(data))).data ?? NO_FRAME
  } catch (error) {
    if (!(error instanceof PlimsollError)) return NO_FRAME
    return Buffer.from(error.message)
      .subarray(0, REASON_BYTES_MAX - 3)
      .toString('utf8')
  }
}

const NO_FRAME = 'no frame of `plimsoll.v1`'

const asBuffer = (data: Buffer | ArrayBuffer | Buffer[]): Buffer =>
  Array.isArray(data) ? Buffer.concat(data) : Buffer.isBuffer(data) ? data : Buffer.from(data)

const asUnavailable = (cause: unknown): PlimsollError =>
  new PlimsollError('log_unavailable', 'the log did not take the events', { cause })
