import { createMcpMetrics } from './metrics.js'
import { randomBytes } from 'node:crypto'
import { type ServerContext, createRequestStateCodec } from '@modelcontextprotocol/server'
import type { PlimsollClient } from '@plimsoll/client'
import type { Catalogue } from '@plimsoll/contracts'
import type { Logger, Metrics } from '@plimsoll/runtime'
import type { Principal } from '../auth/principals-file.js'
import type { LineageScope } from '../lineage/lineage.js'
import { type Approve, createApprovals } from './call/approvals.js'
import { type Respond, createCalls } from './call/call.js'
import type { AskedState } from './call/question.js'
import { type McpLimits, MCP_LIMITS } from './limits.js'
import type { ServersDocument } from './servers-file.js'
import { type McpSessionRegistry, createMcpSessionRegistry } from './session/session-registry.js'
import type { PinStore } from './tools/pin-store.js'
import { type Toolset, createToolset } from './tools/toolset.js'
import { createUpstream } from './upstream/upstream.js'

export interface McpProxyOptions {
  readonly servers: ServersDocument
  /** Variables that servers may be given. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly pins: PinStore
  /** Whether a server that was never approved is taken as it is when it is first seen; it is, where this is left out. */
  readonly approvesFirst?: boolean
  /** What the tools are, as the monitors have it too. */
  readonly catalogue: Catalogue
  /** The way to the monitors of a principal's sessions. */
  readonly clientOf: (principal: Principal, scope?: LineageScope) => Promise<PlimsollClient>
  /** Takes what a client's user says to a `confirm`; without it the approval queue alone answers. */
  readonly approve?: Approve
  /** Whether humans answer in a queue; they do, where this is left out. */
  readonly hasQueue?: boolean
  readonly logger: Logger
  readonly metrics: Metrics
  readonly limits?: Partial<McpLimits>
}

/** What MCP servers and their clients share, whatever carries them. */
export interface McpProxy {
  readonly toolset: Toolset
  readonly sessions: McpSessionRegistry
  readonly respond: Respond
  readonly limits: McpLimits
  readonly verify: (state: string, context: ServerContext) => Promise<unknown>
  close(): Promise<void>
}

/** How long a client's user may think about a question, seconds: the policies' approvals last no longer by default. */
const APPROVAL_SECONDS = 900

export function createMcpProxy(options: McpProxyOptions): McpProxy {
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
  const registry = createMcpSessionRegistry({ ...limits, clientOf, now, logger })
  // A process that starts again knows none of the questions that were open: their states need not be read by it.
  const codec = createRequestStateCodec<AskedState>({ key: randomBytes(32), ttlSeconds: APPROVAL_SECONDS })
  const hearing = createApprovals({
    limits,
    approve,
    hasQueue: options.hasQueue ?? true,
    mint: (state, call) => codec.mint(state, call.context),
  })
  const respond = createCalls({ toolset, limits, approvals: hearing, onOutcome: metrics.called })

  async function close(): Promise<void> {
    await registry.close()
    await Promise.all(upstreams.map((upstream) => upstream.close()))
  }

  return { toolset, sessions: registry, respond, limits, verify: codec.verify, close }
}
