import type { PlimsollClient } from '@plimsoll/client'
import { type Catalogue, PlimsollError } from '@plimsoll/contracts'
import type { Logger, Metrics } from '@plimsoll/runtime'
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { Principal } from '../auth/principals.js'
import { createMcpMetrics } from '../metrics.js'
import type { LineageScope } from '../sessions/lineage.js'
import { type SessionRegistry, createSessionRegistry } from '../sessions/session-registry.js'
import type { ApprovalQueue, Approve } from './approvals.js'
import { type View, type ViewOptions, createView } from './client/view.js'
import { type McpLimits, MCP_LIMITS } from './limits.js'
import type { ServersDocument } from './servers-file.js'
import { createSteps } from './steps.js'
import type { PinStore } from './tools/pins.js'
import { createToolset, createWithheldReport } from './tools/toolset.js'
import { createUpstream } from './upstream/upstream.js'

export interface McpProxyOptions {
  readonly servers: ServersDocument
  /** Variables that servers may get. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly pins: PinStore
  /** Whether the tools of a server that was never approved are approved at first sight. Default: true. */
  readonly approvesFirst?: boolean
  /** Whether tools that a known server adds later are offered at once, as unknown ones. Default: false. */
  readonly allowsNew?: boolean
  /** The command that approves withheld tools, for the client's user; undefined if approvals last as long as the process. */
  readonly approveWith?: string | undefined
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
  /** Gets what servers on standard input and output write to their stderr, such as what they miss. */
  readonly onStderr?: ((text: string) => void) | undefined
  readonly metrics: Metrics
  readonly limits?: Partial<McpLimits>
}

export type McpProxy = ReturnType<typeof createMcpProxy>

/** A proxy between MCP clients and MCP servers, for any transport. Proposes every step that the servers would do. */
export function createMcpProxy(options: McpProxyOptions) {
  const { servers, environment, pins, catalogue, clientOf, approve, logger } = options
  const limits = { ...MCP_LIMITS, ...options.limits }
  const metrics = createMcpMetrics(options.metrics)
  const now = Date.now
  const upstreams = Object.entries(servers.servers).map(([name, spec]) =>
    createUpstream({ name, spec, environment, limits, logger, onStderr: options.onStderr }),
  )
  const onWithheld = createWithheldReport({ logger, onWithheld: metrics.withheld })
  const sessions = options.sessions ?? createSessionRegistry({ clientOf, now, logger })
  const { called: onOutcome } = metrics
  const steps = createSteps({
    sessions,
    limits,
    approve,
    queue: options.queue,
    onAsked: () => onOutcome('asked'),
  })
  const views = new Set<View>()

  return {
    sessions,
    limits,
    /** What one MCP client connects to: all servers as one. */
    createView: (client: Pick<ViewOptions, 'client' | 'callerOf' | 'notify' | 'ask'>): View => {
      const view = createView({
        ...client,
        upstreams,
        catalogue,
        limits,
        logger,
        steps,
        onOutcome,
        approveWith: options.approveWith,
        toolsetOf: (sources, onSeen) =>
          createToolset({
            sources,
            pins,
            catalogue,
            requireLabels: servers.requireLabels,
            approvesFirst: options.approvesFirst ?? true,
            allowsNew: options.allowsNew ?? false,
            now,
            logger,
            onWithheld: (tool) => {
              onWithheld(tool)
              onSeen(tool)
            },
          }),
      })
      const own: View = {
        ...view,
        handle: (exchange) => withMcpErrors(() => view.handle(exchange)),
        close: () => {
          views.delete(own)
          return view.close()
        },
      }
      views.add(own)
      return own
    },
    close: async (): Promise<void> => {
      await sessions.close()
      await Promise.all([...views].map((view) => view.close()))
    },
  }
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
