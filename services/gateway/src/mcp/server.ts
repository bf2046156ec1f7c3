import type { Caller } from './call/approvals.js'
import { PlimsollError } from '@plimsoll/contracts'
import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server'
import type { Respond } from './call/call.js'
import type { OfferedTool } from './tools/offer.js'
import type { Toolset } from './tools/toolset.js'

export interface ProxyServerOptions {
  readonly toolset: Toolset
  readonly respond: Respond
  /** Whose a call is. */
  readonly callerOf: (context: ServerContext, server: Server) => Promise<Caller>
  /** Takes what a client brings back of a question, or throws. */
  readonly verify: (state: string, context: ServerContext) => Promise<unknown>
}

/** What an MCP client is connected to: all tools of all servers, each call of which is asked about. */
export function createProxyServer({ toolset, respond, callerOf, verify }: ProxyServerOptions): Server {
  const server = new Server(
    { name: 'plimsoll', version: '1' },
    { capabilities: { tools: { listChanged: true } }, requestState: { verify } },
  )
  server.setRequestHandler('tools/list', async () => ({ tools: (await toolset.list()).map(renamedTool) }))
  server.setRequestHandler('tools/call', async (request, context) =>
    mcpErrorOf(() => respond(request, context, () => callerOf(context, server))),
  )
  return server
}

/** A tool as its server lists it, under the name that agents know. Tasks are not offered: a step ends with its answer. */
function renamedTool({ name, tool }: OfferedTool): Tool {
  const { execution: _, ...rest } = tool
  return { ...rest, name }
}

/** Errors of Plimsoll as MCP has them, with their code. */
async function mcpErrorOf<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (error) {
    if (!(error instanceof PlimsollError)) throw error
    const { code, message, retryable } = error
    const isTheirs = code === 'session_unknown' || code === 'schema_invalid'
    const answer = isTheirs ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError
    throw new ProtocolError(answer, message, { code, retryable })
  }
}
