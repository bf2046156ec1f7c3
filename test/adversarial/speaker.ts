import { once } from 'node:events'
import {
  decisionSchema,
  EVENT_SCHEMA,
  gatewayFrameSchema,
  STREAM_PATH,
  STREAM_PROTOCOL,
  type Decision,
} from '@plimsoll/contracts'
import { WebSocket } from 'ws'

/** What is sent with an event, and wrong members that replace those of the event. */
export interface Sent {
  readonly texts?: object
  /** By the name of the session's run. */
  readonly root?: string
  readonly over?: { readonly id?: string; readonly [member: string]: unknown }
}

/** A connection of a principal that writes arbitrary frames. */
export interface Speaker {
  /** Sends an event of session `run`. */
  report(run: string, event: object, sent?: Sent): void
  /** Proposes a step and returns its decision. */
  ask(run: string, tool: string, sent?: Sent): Promise<Decision>
  /** Resolves once everything sent has been accepted. */
  settled(): Promise<void>
  /** A new connection after the end of this one, continuing its numbering. */
  reconnected(): Promise<Speaker>
  close(): Promise<void>
}

type Numbers = Map<string, number>

/** Connects as `name` of tenant `acme` of `GatewayDeployment`. */
export async function speakAs(name: string, url: string, numbers: Numbers = new Map()): Promise<Speaker> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${STREAM_PATH}`, STREAM_PROTOCOL, {
    headers: { authorization: `Bearer key-of-${name}` },
  })
  const decided = new Map<string, (decision: Decision) => void>()
  const taken = new Map<number, () => void>()
  let frames = 0

  const idOf = (run: string) => `acme~${name}:${run}`
  const nextOf = (run: string) => numbers.get(run) ?? 0

  socket.on('message', (data: Buffer) => {
    const frame = gatewayFrameSchema.parse(JSON.parse(data.toString('utf8')))
    if (frame.type === 'ack') taken.get(frame.id)?.()
    if (frame.type !== 'decision') return
    const decision = decisionSchema.parse(JSON.parse(frame.decision))
    decided.get(decision.eventId)?.(decision)
  })
  await once(socket, 'message')

  function report(run: string, event: object, { texts, root, over = {} }: Sent = {}): void {
    const seq = nextOf(run)
    const envelope = { schema: EVENT_SCHEMA, sessionId: idOf(run), producer: 'own', time: 0 }
    const whole = { ...envelope, id: `${run}-${seq}`, seq, ...event, ...over }
    // A refused event gets no number.
    if (Object.keys(over).length === 0) numbers.set(run, seq + 1)
    const sent = { event: whole, ...(texts && { texts }), ...(root !== undefined && { root: idOf(root) }) }
    socket.send(JSON.stringify({ type: 'events', id: frames++, events: [sent] }))
  }

  return {
    report,
    ask: async (run, tool, sent = {}) => {
      const { id = `${run}-${nextOf(run)}${sent.over ? '-odd' : ''}` } = sent.over ?? {}
      const event = { id, callId: id, tool, argumentsDigest: 'd'.repeat(64), type: 'step.proposed' }
      const decision = new Promise<Decision>((resolve) => decided.set(id, resolve))
      report(run, event, sent)
      return decision
    },
    settled: () =>
      new Promise((resolve) => {
        taken.set(frames, resolve)
        socket.send(
          JSON.stringify({
            type: 'events',
            id: frames++,
            events: [{ event: { sessionId: '-', type: '-' } }],
          }),
        )
      }),
    reconnected: async () => {
      socket.close()
      await once(socket, 'close')
      return speakAs(name, url, numbers)
    },
    close: async () => {
      socket.close()
      await once(socket, 'close')
    },
  }
}
