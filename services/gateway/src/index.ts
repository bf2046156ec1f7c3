/**
 * Functions that need the libraries for HTTP and MCP load them on first call, so that other commands start without them.
 */
import type { GatewayPlugin } from './context.js'
import type { Gateway, GatewayOptions } from './gateway.js'
import type { McpPluginOptions } from './mcp/http.js'
import type { McpProxy, McpProxyOptions } from './mcp/proxy.js'
import type { StdioOptions, StdioService } from './mcp/stdio.js'
import type { ReviewOptions, ServerReview } from './mcp/tools/review.js'
import type { GatewayService, GatewayServiceOptions } from './service.js'

export { hashOfKey } from './auth/authenticator.js'
export { parsePrincipals, type PrincipalsDocument } from './auth/principals.js'
export type { GatewayPlugin } from './context.js'
export type { Gateway, GatewayOptions } from './gateway.js'
export { assertExact } from './http/exact-json.js'
export { openApiDocument } from './http/openapi.js'
export type { ApprovalQueue, Approve, GivenApproval } from './mcp/approvals.js'
export {
  type ServersDocument,
  SERVER_NAME,
  parseServers,
  readServersFile,
  serverOfCommand,
  serverOfUrl,
} from './mcp/servers-file.js'
export { passedOn } from './mcp/upstream/variables.js'
export type { OfferedTool } from './mcp/tools/offer.js'
export { createFilePins, createMemoryPins, definitionDigest } from './mcp/tools/pins.js'
export type { ServerReview, ToolReview } from './mcp/tools/review.js'
export { GATEWAY_METRICS } from './metrics.js'
export { type LineageScope, createLineage, createMemoryLineages } from './sessions/lineage.js'
export { withLineage } from './sessions/lineage-member.js'
export { gatewaySettings } from './settings.js'

export const startGateway = async (options: GatewayOptions): Promise<Gateway> =>
  (await import('./gateway.js')).startGateway(options)

export const startGatewayService = async (options: GatewayServiceOptions): Promise<GatewayService> =>
  (await import('./service.js')).startGatewayService(options)

export const createMcpProxy = async (options: McpProxyOptions): Promise<McpProxy> =>
  (await import('./mcp/proxy.js')).createMcpProxy(options)

export const serveMcpStdio = async (options: StdioOptions): Promise<StdioService> =>
  (await import('./mcp/stdio.js')).serveMcpStdio(options)

export const reviewTools = async (options: ReviewOptions): Promise<readonly ServerReview[]> =>
  (await import('./mcp/tools/review.js')).reviewTools(options)

export const createMcpPlugin =
  (options: McpPluginOptions): GatewayPlugin =>
  async (app, context) =>
    (await import('./mcp/http.js')).createMcpPlugin(options)(app, context)
