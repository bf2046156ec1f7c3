import { z } from 'zod'
import { ERRORS } from '../errors.js'
import { lineSchema } from '../ids.js'
import { worldSchema } from '../policy/world.js'

/** The path of the gateway's WebSocket, and its only protocol. */
export const STREAM_PATH = '/v1/stream'
export const STREAM_PROTOCOL = 'plimsoll.v1'

/** Characters of the texts beside one event, as JSON. */
export const EVENT_TEXTS_CHARS_MAX = 256 * 1024

/** Events of one frame. */
const FRAME_EVENTS_MAX = 500

/** The largest frame, bytes: a client's batch with 3 bytes per character, plus JSON syntax. */
export const FRAME_BYTES_MAX = 4 * 1024 * 1024

/** W3C trace context of a step. */
const traceSchema = z.strictObject({
  traceparent: z.string().max(200),
  tracestate: z.string().max(512).optional(),
})

/** The texts of an event. The gateway makes fingerprints of them and drops them. */
const eventTextsSchema = z.strictObject({
  user: lineSchema(200).optional().describe('The user of the new session, known by its host.'),
  task: z.string().optional(),
  arguments: z.record(z.string(), z.unknown()).optional(),
  description: z.string().optional(),
  result: z.string().optional().describe('Beginning and end of a long result.'),
  world: worldSchema.optional().describe('Where the programs of a step run. Accepted from hosts only.'),
  isRemote: z.literal(true).optional().describe('The tool of a step runs elsewhere than they do.'),
})
export type EventTexts = z.infer<typeof eventTextsSchema>

const sentEventSchema = z.strictObject({
  event: z
    .looseObject({ sessionId: z.string(), type: z.string() })
    .describe('In the form of the events topic.'),
  texts: eventTextsSchema.optional(),
  root: z
    .string()
    .max(160)
    .optional()
    .describe('The root of its session, if it is another one: its fingerprint key is used.'),
  trace: traceSchema.optional(),
})
export type SentEvent = z.infer<typeof sentEventSchema>

/** Frames that a client sends. */
export const clientFrameSchema = z.discriminatedUnion('type', [
  z
    .strictObject({
      type: z.literal('events'),
      id: z.int().min(0).describe("The frame's number, repeated in its acknowledgement."),
      events: z.array(sentEventSchema).min(1).max(FRAME_EVENTS_MAX),
    })
    .describe(
      'Events, in order within a session. Decisions on their sessions use this connection from then on.',
    ),
  z
    .strictObject({
      type: z.literal('resume'),
      sessions: z.array(z.string().max(160)).min(1).max(10_000),
    })
    .describe('Decisions on these sessions use this connection from now on.'),
])
export type ClientFrame = z.infer<typeof clientFrameSchema>

const refusedSchema = z.strictObject({
  code: z.enum(Object.keys(ERRORS) as [keyof typeof ERRORS, ...(keyof typeof ERRORS)[]]),
  message: z.string(),
})

/** Frames that the gateway sends. */
export const gatewayFrameSchema = z.discriminatedUnion('type', [
  z
    .strictObject({
      type: z.literal('welcome'),
      principal: z.string(),
      trust: z.enum(['host', 'agent']),
      sessionPrefix: lineSchema(160).describe('The prefix of all ids of its sessions.'),
      inFlightMax: z.int().min(1).describe('Frames that may wait for their `ack`.'),
    })
    .describe('The first frame of a connection.'),
  z
    .strictObject({ type: z.literal('ack'), id: z.int() })
    .describe('All events of that frame are in the log.'),
  z
    .strictObject({ type: z.literal('failed'), id: z.int(), error: refusedSchema })
    .describe('True: send the same frame again.'),
  z
    .strictObject({
      type: z.literal('decision'),
      sessionId: z.string(),
      decision: z.string().describe('Its JSON.'),
    })
    .describe('A decision on a session of this connection, or the refusal of an event by the gateway.'),
])
export type GatewayFrame = z.infer<typeof gatewayFrameSchema>
