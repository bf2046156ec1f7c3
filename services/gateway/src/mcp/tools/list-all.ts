import { specTypeSchemas } from '@modelcontextprotocol/client'
import type { Tool } from '@modelcontextprotocol/server'
import { PlimsollError } from '@plimsoll/contracts'
import { type Members, type Sent, textMember } from '../rpc/messages.js'

/**
 * All pages of a server's tools, as it lists them: what is no tool by the protocol is left out. Rejects with `tool_server_failed` if there
 * are more than `toolsMax`, and with what `request` rejects with.
 */
export async function listAll(
  server: string,
  request: (sent: Sent) => Promise<Members>,
  toolsMax: number,
): Promise<readonly Tool[]> {
  const tools: unknown[] = []
  let cursor: string | undefined
  do {
    const params = cursor === undefined ? {} : { cursor }
    const result = await request({ method: 'tools/list', params })
    if (Array.isArray(result['tools'])) tools.push(...(result['tools'] as unknown[]))
    if (tools.length > toolsMax) {
      const message = `MCP server \`${server}\` lists more than ${toolsMax} tools`
      throw new PlimsollError('tool_server_failed', message)
    }
    cursor = textMember(result, 'nextCursor')
  } while (cursor !== undefined)
  return tools.filter(isTool)
}

function isTool(value: unknown): value is Tool {
  const checked = specTypeSchemas.Tool['~standard'].validate(value)
  return !(checked instanceof Promise) && checked.issues === undefined
}
