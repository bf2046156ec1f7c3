import { ProtocolError, ProtocolErrorCode, SdkHttpError } from '@modelcontextprotocol/client'
import { parseJson } from '@plimsoll/contracts'

/** The two wire forms of MCP: with a handshake and a connection, or with an envelope in each request. */
export type Era = '2025-11-25' | '2026-07-28'
export const LEGACY: Era = '2025-11-25'
export const MODERN: Era = '2026-07-28'

export type RequestId = string | number

/** Members of a request or a result, as they stand in the message. */
export type Members = Readonly<Record<string, unknown>>

/** A request or a notification, without its id. */
export interface Sent {
  readonly method: string
  readonly params?: Members | undefined
}

export const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A member that is an object; empty if it is missing or something else. */
export function membersIn(object: Members | undefined, name: string): Members {
  const value = object?.[name]
  return isObject(value) ? value : {}
}

export const metaIn = (params: Members | undefined): Members => membersIn(params, '_meta')

/** A copy with these members of `_meta` added. */
export const withMeta = (members: Members | undefined, meta: Members): Members => ({
  ...members,
  _meta: { ...metaIn(members), ...meta },
})

export function textMember(object: Members | undefined, name: string): string | undefined {
  const value = object?.[name]
  return typeof value === 'string' ? value : undefined
}

export const notFound = (method: string): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.MethodNotFound, `there is no method \`${method}\``)

export const invalid = (message: string, data?: Members): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, message, data)

/** What a request failed with, as the `error` of its response. Codes, messages and data of a server's errors stay as they are. */
export function errorOf(cause: unknown): Members {
  if (cause instanceof ProtocolError) {
    const { code, message, data } = cause
    return { code, message, ...(data !== undefined && { data }) }
  }
  const message = cause instanceof Error ? cause.message : String(cause)
  return { code: ProtocolErrorCode.InternalError, message: message.split('\n')[0] ?? '' }
}

export function errorFrom(error: Members): ProtocolError {
  const code = typeof error['code'] === 'number' ? error['code'] : ProtocolErrorCode.InternalError
  return new ProtocolError(code, textMember(error, 'message') ?? 'the server failed', error['data'])
}

/** The JSON-RPC error in the body of a response with an error status, if there is one; else the cause itself. */
export function errorInBody(cause: unknown): unknown {
  if (!(cause instanceof SdkHttpError)) return cause
  const { text } = cause.data as { readonly text?: unknown }
  const body = typeof text === 'string' ? parseJson(text) : undefined
  const error = isObject(body) ? membersIn(body, 'error') : {}
  return typeof error['code'] === 'number' ? errorFrom(error) : cause
}
