import type { CallToolResult, Tool } from '@modelcontextprotocol/server'
import { PlimsollError } from '@plimsoll/contracts'
import { createBackoff } from '@plimsoll/runtime'
import type { ServerSpec } from '../servers-file.js'
import { type CallOptions, type Connection, connectUpstream } from './connection.js'
import type { UpstreamOptions } from './transport.js'

/** One MCP server behind the proxy. Connected on first use, and again on the next use after it has gone. */
export interface Upstream {
  readonly name: string
  readonly spec: ServerSpec
  /** Lists its tools. Rejects with `tool_server_failed`. */
  tools(): Promise<readonly Tool[]>
  /** Rejects with the server's protocol errors, with `tool_server_failed`, and with the signal's reason. */
  call(tool: Tool, args: Readonly<Record<string, unknown>>, options: CallOptions): Promise<CallToolResult>
  close(): Promise<void>
}

export function createUpstream(options: UpstreamOptions): Upstream {
  const { name, spec, logger, onChanged } = options
  const backoff = createBackoff({ firstMs: 250, maxMs: 15_000 })
  let connection: Promise<Connection> | undefined
  let notBefore = 0
  let wasConnected = false
  let isClosed = false

  function connected(): Promise<Connection> {
    if (isClosed) return Promise.reject(new PlimsollError('closed', `server \`${name}\` has been closed`))
    connection ??= connect()
    return connection
  }

  async function connect(): Promise<Connection> {
    try {
      if (Date.now() < notBefore) throw failed('it failed to start a moment ago')
      const made = await connectUpstream({ ...options, onChanged, onGone: gone })
      backoff.reset()
      logger.info('an MCP server is connected', { server: name, protocol: made.protocol })
      // A new process may list other tools.
      if (wasConnected) onChanged()
      wasConnected = true
      return made
    } catch (error) {
      connection = undefined
      notBefore = Date.now() + backoff.next()
      throw error instanceof PlimsollError ? error : failed(reasonOf(error), error)
    }
  }

  function gone(): void {
    if (!isClosed) logger.warn('an MCP server has gone', { server: name })
    connection = undefined
  }

  const failed = (why: string, cause?: unknown): PlimsollError =>
    new PlimsollError('tool_server_failed', `MCP server \`${name}\`: ${why}`, { cause })

  return {
    name,
    spec,
    tools: async () => (await connected()).tools(),
    call: async (tool, args, callOptions) => (await connected()).call(tool, args, callOptions),
    close: async () => {
      isClosed = true
      const open = connection
      connection = undefined
      await open?.then(
        (made) => made.close(),
        () => {},
      )
    },
  }
}

export const reasonOf = (cause: unknown): string =>
  (cause instanceof Error ? cause.message : String(cause)).split('\n')[0] ?? ''
