import {
  type CallToolRequestOptions,
  type CallToolResult,
  type Progress,
  type Tool,
  Client,
  specTypeSchemas,
} from '@modelcontextprotocol/client'
import { PlimsollError } from '@plimsoll/contracts'
import { type UpstreamOptions, createTransport } from './transport.js'

export interface CallOptions {
  readonly signal: AbortSignal
  /** The request's `_meta` for the server. */
  readonly meta: Record<string, unknown>
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

export interface ConnectOptions extends UpstreamOptions {
  readonly onGone: () => void
}

export type Connection = Awaited<ReturnType<typeof connectUpstream>>

/** Connects to a server. It can ask nothing of its client: no user, no model and no roots. */
export async function connectUpstream(options: ConnectOptions) {
  const { name, spec, limits, onChanged, onGone } = options
  const { protocol = 'command' in spec ? '2025-11-25' : 'auto' } = spec
  const pinned = protocol === '2026-07-28' ? ({ pin: protocol } as const) : 'legacy'
  const client = new Client(
    { name: 'plimsoll', version: '1' },
    {
      capabilities: {},
      versionNegotiation: { mode: protocol === 'auto' ? 'auto' : pinned },
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

  return {
    /** The negotiated protocol revision. */
    protocol: client.getNegotiatedProtocolVersion(),
    tools: async (): Promise<readonly Tool[]> => {
      // Not from the client's cache: changed definitions must be seen.
      const listed = await client.listTools(undefined, { timeout: limits.startMsMax, cacheMode: 'refresh' })
      if (listed.tools.length <= limits.toolsMax) return listed.tools
      const message = `MCP server \`${name}\` lists more than ${limits.toolsMax} tools`
      throw new PlimsollError('tool_server_failed', message)
    },
    call: (
      tool: Tool,
      args: Readonly<Record<string, unknown>>,
      { signal, meta, onProgress = () => {} }: CallOptions,
    ): Promise<CallToolResult> => {
      const params = {
        name: tool.name,
        arguments: args,
        ...(Object.keys(meta).length > 0 && { _meta: meta }),
      }
      return callTool(client, tool, params, {
        signal,
        timeout: limits.callMs,
        maxTotalTimeout: limits.callMsMax,
        resetTimeoutOnProgress: true,
        onprogress: onProgress,
      })
    },
    close: () => client.close(),
  }
}

type Params = { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }

/**
 * Does what the client's `callTool` does, at less cost: with a result schema given, the client does not create and discard an error for
 * each request. Tools with an output schema or header arguments use `callTool`.
 */
function callTool(
  client: Client,
  tool: Tool,
  params: Params,
  options: CallToolRequestOptions,
): Promise<CallToolResult> {
  if (!isPlain(tool)) return client.callTool(params, { ...options, toolDefinition: tool })
  return client.request({ method: 'tools/call', params }, specTypeSchemas.CallToolResult, options)
}

/** SEP-2243: arguments that must also be sent as HTTP headers. */
const HEADER_KEY = '"x-mcp-header"'

const plain = new WeakMap<Tool, boolean>()

function isPlain(tool: Tool): boolean {
  const known = plain.get(tool)
  if (known !== undefined) return known
  const found = tool.outputSchema === undefined && !JSON.stringify(tool.inputSchema).includes(HEADER_KEY)
  plain.set(tool, found)
  return found
}
