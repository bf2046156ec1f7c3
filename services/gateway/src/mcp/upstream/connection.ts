import { PlimsollError } from '@plimsoll/contracts'
import { Client, type CallToolResult, type Progress, type Tool } from '@modelcontextprotocol/client'
import { callTool } from './call-tool.js'
import { createTransport, type UpstreamOptions } from './transport.js'

export interface CallOptions {
  readonly signal: AbortSignal
  /** What the server sees of the request's `_meta`. */
  readonly meta: Record<string, unknown>
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

/** A server that has answered. */
export interface Connection {
  /** The revision of the protocol that is spoken with it. */
  readonly protocol: string | undefined
  tools(): Promise<readonly Tool[]>
  call(tool: Tool, args: Readonly<Record<string, unknown>>, options: CallOptions): Promise<CallToolResult>
  close(): Promise<void>
}

export interface ConnectOptions extends UpstreamOptions {
  readonly onGone: () => void
}

/** A server asks its client for nothing here: it is given no user to ask, no model and no roots. */
const CAPABILITIES = {}

export async function connectUpstream(options: ConnectOptions): Promise<Connection> {
  const { name, spec, limits, onChanged, onGone } = options
  const isCommand = 'command' in spec
  const { protocol = isCommand ? '2025-11-25' : 'auto' } = spec
  const client = new Client(
    { name: 'plimsoll', version: '1' },
    {
      capabilities: CAPABILITIES,
      versionNegotiation: { mode: modeOf(protocol) },
      listChanged: { tools: { autoRefresh: false, onChanged } },
    },
  )
  const { transport, lastWords } = createTransport(options)
  Object.assign(client, { onclose: onGone })
  try {
    await client.connect(transport, { timeout: limits.startMsMax })
  } catch (cause) {
    await client.close().catch(() => {})
    const why = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause)
    throw new PlimsollError('tool_server_failed', `MCP server \`${name}\`: ${why}${lastWords()}`, { cause })
  }

  async function tools(): Promise<readonly Tool[]> {
    // Never out of the client's cache: that a definition has changed is what is looked for.
    const listed = await client.listTools(undefined, { timeout: limits.startMsMax, cacheMode: 'refresh' })
    if (listed.tools.length <= limits.toolsMax) return listed.tools
    throw new PlimsollError(
      'tool_server_failed',
      `MCP server \`${name}\` lists more than ${limits.toolsMax} tools`,
    )
  }

  return {
    protocol: client.getNegotiatedProtocolVersion(),
    tools,
    call: (tool, args, { signal, meta, onProgress }) =>
      callTool(
        client,
        tool,
        { name: tool.name, arguments: args, ...(Object.keys(meta).length > 0 && { _meta: meta }) },
        {
          signal,
          timeout: limits.callMs,
          maxTotalTimeout: limits.callMsMax,
          resetTimeoutOnProgress: true,
          onprogress: onProgress ?? (() => {}),
        },
      ),
    close: () => client.close(),
  }
}

const modeOf = (protocol: 'auto' | '2025-11-25' | '2026-07-28') =>
  protocol === 'auto' ? 'auto' : protocol === '2026-07-28' ? ({ pin: protocol } as const) : 'legacy'
