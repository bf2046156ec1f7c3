import type { GatewayPlugin } from './context.js'
import type { Gateway, GatewayOptions } from './gateway.js'
import type { ReviewOptions, ServerReview } from './mcp/approval.js'
import type { McpPluginOptions } from './mcp/http/plugin.js'
import type { McpProxy, McpProxyOptions } from './mcp/proxy.js'
import type { StdioOptions, StdioService } from './mcp/stdio.js'
import type { GatewayService, GatewayServiceOptions } from './service.js'

/**
 * What stands on libraries for HTTP, MCP and OpenTelemetry loads them when it is first called: anyone who asks the command line for something
 * else does not wait for them.
 */
export const startGateway = async (options: GatewayOptions): Promise<Gateway> =>
  (await import('./gateway.js')).startGateway(options)

export const startGatewayService = async (options: GatewayServiceOptions): Promise<GatewayService> =>
  (await import('./service.js')).startGatewayService(options)

export const createMcpProxy = async (options: McpProxyOptions): Promise<McpProxy> =>
  (await import('./mcp/proxy.js')).createMcpProxy(options)

export const serveMcpStdio = async (options: StdioOptions): Promise<StdioService> =>
  (await import('./mcp/stdio.js')).serveMcpStdio(options)

export const reviewTools = async (options: ReviewOptions): Promise<readonly ServerReview[]> =>
  (await import('./mcp/approval.js')).reviewTools(options)

export const createMcpPlugin =
  (options: McpPluginOptions): GatewayPlugin =>
  async (app, context) =>
    (await import('./mcp/http/plugin.js')).createMcpPlugin(options)(app, context)
