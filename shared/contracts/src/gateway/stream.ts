import { z } from 'zod'
import { ERRORS } from '../errors.js'
import { lineSchema } from '../ids.js'

/** The path of the gateway's WebSocket, and the one protocol that is spoken on it. */
export const STREAM_PATH = '/v1/stream'
export const STREAM_PROTOCOL = 'plimsoll.v1'

/** Characters of the texts beside one event, as JSON. */
export const EVENT_TEXTS_CHARS_MAX = 256 * 1024

/** Events of one frame. */
export const FRAME_EVENTS_MAX = 500

/** The largest frame, bytes: a produce of a client, each character of 3 bytes at most, and whatever JSON puts around it. */
export const FRAME_BYTES_MAX = 4 * 1024 * 1024

/** Trace context of a step, as W3C writes it. */
const traceSchema = z.strictObject({
  traceparent: z.string().max(200),
  tracestate: z.string().max(512).optional(),
})

/** The texts that an event speaks of. The gateway makes fingerprints of them and forgets them: they go no further. */
export const eventTextsSchema = z.strictObject({
  user: lineSchema(200).optional().describe('The user of a session that starts, as its host knows them.'),
  task: z.string().optional(),
  arguments: z.record(z.string(), z.unknown()).optional(),
  description: z.string().optional(),
  result: z.string().optional().describe('Of a long one its beginning and its end.'),
})
export type EventTexts = z.infer<typeof eventTextsSchema>

const sentEventSchema = z.strictObject({
  event: z
    .looseObject({ sessionId: z.string(), type: z.string() })
    .describe('As the topic of events has it.'),
  texts: eventTextsSchema.optional(),
  root: z
    .string()
    .max(160)
    .optional()
    .describe(
      'The root of its session, where that is another one: its key of fingerprints is the one to use.',
    ),
  trace: traceSchema.optional(),
})
export type SentEvent = z.infer<typeof sentEventSchema>

/** What a client sends. */
export const clientFrameSchema = z.discriminatedUnion('type', [
  z
    .strictObject({
      type: z.literal('events'),
      id: z.int().min(0).describe("The frame's number: its acknowledgement has the same."),
      events: z.array(sentEventSchema).min(1).max(FRAME_EVENTS_MAX),
    })
    .describe(
      'Events, those of a session in their order. The decisions on their sessions come over this connection from then on.',
    ),
  z
    .strictObject({
      type: z.literal('resume'),
      sessions: z.array(z.string().max(160)).min(1).max(10_000),
    })
    .describe('The decisions on these sessions come over this connection from now on.'),
])
export type ClientFrame = z.infer<typeof clientFrameSchema>

const refusedSchema = z.strictObject({
  code: z.enum(Object.keys(ERRORS) as [keyof typeof ERRORS, ...(keyof typeof ERRORS)[]]),
  message: z.string(),
})

/** What the gateway sends. */
export const gatewayFrameSchema = z.discriminatedUnion('type', [
  z
    .strictObject({
      type: z.literal('welcome'),
      principal: z.string(),
      trust: z.enum(['host', 'agent']),
      sessionPrefix: lineSchema(160).describe('What the ids of all its sessions begin with.'),
      inFlightMax: z.int().min(1).describe('Frames that may wait for their `ack`.'),
    })
    .describe('The first frame of a connection.'),
  z
    .strictObject({ type: z.literal('ack'), id: z.int() })
    .describe('None of the events of that frame can be lost any more.'),
  z
    .strictObject({ type: z.literal('failed'), id: z.int(), error: refusedSchema })
    .describe('True: send the same frame again.'),
  z
    .strictObject({
      type: z.literal('decision'),
      sessionId: z.string(),
      decision: z.string().describe('Its JSON.'),
    })
    .describe(
      'A decision on a session of this connection, or the refusal of an event that the gateway does not take.',
    ),
])
export type GatewayFrame = z.infer<typeof gatewayFrameSchema>
