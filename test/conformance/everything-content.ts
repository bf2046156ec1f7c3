import {
  type CallToolResult,
  type ServerContext,
  createRequestStateCodec,
  inputRequired,
} from '@modelcontextprotocol/server'
import { randomBytes } from 'node:crypto'

/** A PNG of one pixel, and a WAV without a sample. */
export const IMAGE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
export const SOUND = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='
export const text = (value: string) => ({ type: 'text' as const, text: value })
export const answer = (value: string): CallToolResult => ({ content: [text(value)] })
export const image = { type: 'image' as const, data: IMAGE, mimeType: 'image/png' }
export const embedded = (uri: string, mimeType: string, value: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: value },
})

export const nameForm = (message: string) => formOf(message, { name: { type: 'string' } })
export const formOf = (message: string, properties: Readonly<Record<string, object>>) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties, required: Object.keys(properties) } as never,
  })
export const sample = (value: string, maxTokens = 100) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: text(value) }], maxTokens })

export const codec = createRequestStateCodec<{ readonly round: number }>({ key: randomBytes(32) })

/** What the client has answered to the input request `key`; undefined if it has not, or not in an object. */
export const responseOf = ({ mcpReq }: ServerContext, key: string): unknown => mcpReq.inputResponses?.[key]
