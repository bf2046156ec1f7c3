import type { UpstreamOptions } from './transport.js'
import { PlimsollError } from '@plimsoll/contracts'
import { createBackoff } from '@plimsoll/runtime'
import type { CallToolResult, Tool } from '@modelcontextprotocol/server'
import type { ServerSpec } from '../servers-file.js'
import { connectUpstream, type CallOptions, type Connection } from './connection.js'

/** One MCP server behind the proxy. It is started when it is first needed, and again when it is needed after it has gone. */
export interface Upstream {
  readonly name: string
  readonly spec: ServerSpec
  /** Its tools as it lists them now. Rejects with `tool_server_failed`. */
  tools(): Promise<readonly Tool[]>
  /** Rejects with what the server answers as an error of the protocol, with `tool_server_failed`, and with the signal's reason. */
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
    if (isClosed) return Promise.reject(new PlimsollError('closed', `server \`${name}\` has been let go`))
    connection ??= connect()
    return connection
  }

  async function connect(): Promise<Connection> {
    try {
      if (Date.now() < notBefore) throw failed('it has just failed to start')
      const made = await connectUpstream({ ...options, onChanged, onGone: gone })
      backoff.reset()
      logger.info('an MCP server is connected', { server: name, protocol: made.protocol })
      // Another process under the same name: what it lists is to be looked at again.
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
