import { specTypeSchemas } from '@modelcontextprotocol/client'
import type { Tool } from '@modelcontextprotocol/server'
import { PlimsollError } from '@plimsoll/contracts'
import type { McpLimits } from '../limits.js'
import { type Members, type Sent, textMember } from '../rpc/messages.js'

/**
 * All pages of a server's tools, as it lists them: what is no tool by the protocol is left out. Rejects with `tool_server_failed` if there
 * are more than `toolsMax`, or no end of them in time, and with what `request` rejects with.
 */
export async function listAll(
  server: string,
  request: (sent: Sent) => Promise<Members>,
  { toolsMax, startMsMax: msMax }: Pick<McpLimits, 'toolsMax' | 'startMsMax'>,
): Promise<readonly Tool[]> {
  const tools: unknown[] = []
  const seen = new Set<string>()
  const end = Date.now() + msMax
  const refuse = (problem: string): never => {
    throw new PlimsollError('tool_server_failed', `MCP server \`${server}\` ${problem}`)
  }
  for (let cursor: string | undefined; ;) {
    const params = cursor === undefined ? {} : { cursor }
    const result = await request({ method: 'tools/list', params })
    if (Array.isArray(result['tools'])) tools.push(...(result['tools'] as unknown[]))
    if (tools.length > toolsMax) refuse(`lists more than ${toolsMax} tools`)
    cursor = textMember(result, 'nextCursor')
    if (cursor === undefined) return tools.filter(isTool)
    if (seen.has(cursor) || seen.size >= toolsMax || Date.now() > end) refuse('lists its tools without end')
    seen.add(cursor)
  }
}

function isTool(value: unknown): value is Tool {
  const checked = specTypeSchemas.Tool['~standard'].validate(value)
  return !(checked instanceof Promise) && checked.issues === undefined
}
