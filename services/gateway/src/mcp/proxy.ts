import { randomBytes } from 'node:crypto'
import {
  type Tool,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  createRequestStateCodec,
} from '@modelcontextprotocol/server'
import type { PlimsollClient } from '@plimsoll/client'
import { type Catalogue, PlimsollError } from '@plimsoll/contracts'
import type { Logger, Metrics } from '@plimsoll/runtime'
import type { Principal } from '../auth/principals.js'
import { createMcpMetrics } from '../metrics.js'
import type { LineageScope } from '../sessions/lineage.js'
import { type SessionRegistry, createSessionRegistry } from '../sessions/session-registry.js'
import { type ApprovalQueue, type Approve, type RequestState, createApprovals } from './approvals.js'
import type { CallerOf } from './caller.js'
import { createCalls } from './calls.js'
import { type McpLimits, MCP_LIMITS } from './limits.js'
import type { ServersDocument } from './servers-file.js'
import type { OfferedTool } from './tools/offer.js'
import type { PinStore } from './tools/pins.js'
import { createToolset } from './tools/toolset.js'
import { createUpstream } from './upstream/upstream.js'

export interface McpProxyOptions {
  readonly servers: ServersDocument
  /** Variables that servers may get. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly pins: PinStore
  /** Whether the tools of a server that was never approved are approved at first sight. Default: true. */
  readonly approvesFirst?: boolean
  /** The same catalogue as the monitors have. */
  readonly catalogue: Catalogue
  /** Returns the client of a principal's sessions. */
  readonly clientOf: (principal: Principal, scope?: LineageScope) => Promise<PlimsollClient>
  /** Default: a registry of its own. */
  readonly sessions?: SessionRegistry
  /** Passes on what a client's user answers to a `confirm`; without it only the approval queue answers. */
  readonly approve?: Approve
  /** Where other humans answer; undefined if none can. */
  readonly queue?: ApprovalQueue | undefined
  readonly logger: Logger
  readonly metrics: Metrics
  readonly limits?: Partial<McpLimits>
}

/** How long a client's user may take for an approval, seconds: the policies' default expiry. */
const APPROVAL_SECONDS = 900

export type McpProxy = ReturnType<typeof createMcpProxy>

/** A proxy between MCP clients and MCP servers, for any transport. Proposes every call of their tools. */
export function createMcpProxy(options: McpProxyOptions) {
  const { servers, environment, pins, catalogue, clientOf, approve, logger } = options
  const limits = { ...MCP_LIMITS, ...options.limits }
  const metrics = createMcpMetrics(options.metrics)
  const now = Date.now
  const upstreams = Object.entries(servers.servers).map(([name, spec]) =>
    createUpstream({ name, spec, environment, limits, logger, onChanged: () => toolset.changed(name) }),
  )
  const toolset = createToolset({
    upstreams,
    pins,
    catalogue,
    requireLabels: servers.requireLabels,
    approvesFirst: options.approvesFirst ?? true,
    now,
    logger,
    onWithheld: metrics.withheld,
  })
  const sessions = options.sessions ?? createSessionRegistry({ clientOf, now, logger })
  // A random key: approval requests of an earlier process are unknown here anyway.
  const codec = createRequestStateCodec<RequestState>({ key: randomBytes(32), ttlSeconds: APPROVAL_SECONDS })
  const approvals = createApprovals({
    limits,
    approve,
    queue: options.queue,
    mint: (state, call) => codec.mint(state, call.context),
  })
  const respond = createCalls({ toolset, sessions, limits, approvals, onOutcome: metrics.called })

  return {
    sessions,
    limits,
    onToolsChanged: toolset.onChanged,
    toolNames: toolset.names,
    /** What one MCP client connects to: all tools of all servers. */
    createServer: (callerOf: CallerOf): Server => {
      const server = new Server(
        { name: 'plimsoll', version: '1' },
        { capabilities: { tools: { listChanged: true } }, requestState: { verify: codec.verify } },
      )
      server.setRequestHandler('tools/list', async () => ({ tools: (await toolset.list()).map(renamedTool) }))
      server.setRequestHandler('tools/call', async (request, context) =>
        withMcpErrors(() => respond(request, context, () => callerOf(context, server))),
      )
      return server
    },
    close: async (): Promise<void> => {
      await sessions.close()
      await Promise.all(upstreams.map((upstream) => upstream.close()))
    },
  }
}

/** A tool as its server lists it, under its exposed name. MCP tasks are not offered: a step ends with its answer. */
function renamedTool({ name, tool }: OfferedTool): Tool {
  const { execution: _, ...rest } = tool
  return { ...rest, name }
}

/** Codes of mistakes in a request. */
const INVALID_PARAMS: ReadonlySet<string> = new Set(['session_unknown', 'session_ended', 'schema_invalid'])

async function withMcpErrors<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (error) {
    if (!(error instanceof PlimsollError)) throw error
    const { code, message, retryable } = error
    const { InvalidParams, InternalError } = ProtocolErrorCode
    throw new ProtocolError(INVALID_PARAMS.has(code) ? InvalidParams : InternalError, message, {
      code,
      retryable,
    })
  }
}
