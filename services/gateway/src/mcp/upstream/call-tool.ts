import {
  specTypeSchemas,
  type CallToolRequestOptions,
  type CallToolResult,
  type Client,
  type Tool,
} from '@modelcontextprotocol/client'

type Params = { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }

/**
 * Calls `tool` as the client's own `callTool` does, at less cost: with a schema given, the client does not make and throw away an error
 * for each request to find whether it has one. A tool that needs more than its answer looked at goes the client's own way.
 */
export function callTool(
  client: Client,
  tool: Tool,
  params: Params,
  options: CallToolRequestOptions,
): Promise<CallToolResult> {
  if (!isPlain(tool)) return client.callTool(params, { ...options, toolDefinition: tool })
  return client.request({ method: 'tools/call', params }, specTypeSchemas.CallToolResult, options)
}

/** Of SEP-2243: arguments that over HTTP have to stand in headers too. */
const HEADER_KEY = '"x-mcp-header"'

const plain = new WeakMap<Tool, boolean>()

function isPlain(tool: Tool): boolean {
  const known = plain.get(tool)
  if (known !== undefined) return known
  const found = tool.outputSchema === undefined && !JSON.stringify(tool.inputSchema).includes(HEADER_KEY)
  plain.set(tool, found)
  return found
}
