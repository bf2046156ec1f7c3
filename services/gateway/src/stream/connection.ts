import { setTimeout as sleep } from 'node:timers/promises'
import {
  clientFrameSchema,
  PlimsollError,
  type ClientFrame,
  type GatewayFrame,
  type SentEvent,
} from '@plimsoll/contracts'
import type { DecisionRecord } from '@plimsoll/client'
import type { OutgoingRecord } from '@plimsoll/runtime'
import type { WebSocket } from 'ws'
import type { Intake } from '../intake/intake.js'
import { refusalFor } from '../intake/refusal.js'
import type { GatewayMetrics } from '../metrics/index.js'
import type { Principal } from '../principals/principal.js'
import { prefixOf } from '../sessions/session-ids.js'
import type { Switchboard } from '../sessions/switchboard.js'
import { CLOSE, STREAM_LIMITS } from './limits.js'

export interface ConnectionOptions {
  readonly socket: WebSocket
  readonly principal: Principal
  readonly intake: Intake
  readonly switchboard: Switchboard
  readonly metrics: GatewayMetrics
  readonly now: () => number
}

/**
 * One connection of one principal: its events go to the log, the decisions on its sessions come back. It reads no faster than the log
 * takes, and is closed where its other end does not read what it is sent: that one comes back, and asks what it has missed.
 */
export function serveConnection(options: ConnectionOptions): void {
  const { socket, principal, intake, switchboard, metrics, now } = options
  const sessions = new Set<string>()
  let inFlight = 0

  function tell(frame: GatewayFrame): void {
    if (socket.readyState !== socket.OPEN) return
    if (socket.bufferedAmount > STREAM_LIMITS.bufferedBytesMax) return socket.close(CLOSE.slow, 'read faster')
    socket.send(JSON.stringify(frame))
  }

  function deliver({ key, value }: DecisionRecord): void {
    if (key === null || value === null) return
    metrics.decision()
    tell({ type: 'decision', sessionId: key, decision: value.toString('utf8') })
  }

  function claim(sessionId: string): void {
    if (sessions.has(sessionId)) return
    if (sessions.size >= STREAM_LIMITS.sessionsMax) for (const oldest of sessions) if (letGo(oldest)) break
    sessions.add(sessionId)
    switchboard.claim(sessionId, deliver)
  }

  function letGo(sessionId: string): boolean {
    switchboard.release(sessionId, deliver)
    return sessions.delete(sessionId)
  }

  function refuse(sent: SentEvent, fault: { readonly code: string; readonly message: string }): void {
    metrics.event(fault.code)
    const refusal = refusalFor(sent, fault, now())
    if (refusal) tell({ type: 'decision', sessionId: refusal.sessionId, decision: JSON.stringify(refusal) })
  }

  /** Those that are taken, with the sessions that end by them. */
  function takeIn(events: readonly SentEvent[]): { records: OutgoingRecord[]; ended: string[] } {
    const records: OutgoingRecord[] = []
    const ended: string[] = []
    for (const sent of events) {
      const taken = intake(sent)
      if ('fault' in taken) {
        refuse(sent, taken.fault)
        continue
      }
      metrics.event('taken')
      const { sessionId, type } = taken.event
      claim(sessionId)
      if (type === 'session.ended') ended.push(sessionId)
      records.push(taken.record)
    }
    return { records, ended }
  }

  async function publish({ id, events }: Extract<ClientFrame, { type: 'events' }>): Promise<void> {
    const { records, ended } = takeIn(events)
    try {
      if (records.length > 0) await switchboard.send(records)
    } catch (error) {
      const { code, message } = error instanceof PlimsollError ? error : asUnavailable(error)
      return tell({ type: 'failed', id, error: { code, message } })
    }
    for (const sessionId of ended) if (sessions.delete(sessionId)) switchboard.end(sessionId)
    tell({ type: 'ack', id })
  }

  async function take(frame: ClientFrame): Promise<void> {
    if (frame.type === 'events') return publish(frame)
    const prefix = prefixOf(principal)
    for (const sessionId of frame.sessions) if (sessionId.startsWith(prefix)) claim(sessionId)
  }

  async function hear(data: Buffer): Promise<void> {
    const frame = frameIn(data)
    if (!frame) return socket.close(CLOSE.invalid, 'no frame of `plimsoll.v1`')
    if (++inFlight >= STREAM_LIMITS.inFlightMax) socket.pause()
    await take(frame)
    if (inFlight-- >= STREAM_LIMITS.inFlightMax) socket.resume()
  }

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
  tell({
    type: 'welcome',
    principal: principal.name,
    trust: principal.trust,
    sessionPrefix: prefixOf(principal),
    inFlightMax: STREAM_LIMITS.inFlightMax,
  })
}

function frameIn(data: Buffer): ClientFrame | undefined {
  try {
    return clientFrameSchema.safeParse(JSON.parse(data.toString('utf8'))).data
  } catch {
    return undefined
  }
}

const asBuffer = (data: Buffer | ArrayBuffer | Buffer[]): Buffer =>
  Array.isArray(data) ? Buffer.concat(data) : Buffer.isBuffer(data) ? data : Buffer.from(data)

const asUnavailable = (cause: unknown): PlimsollError =>
  new PlimsollError('log_unavailable', 'the log did not take the events', { cause })
