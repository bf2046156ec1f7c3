/** An MCP server over stdio that lists the tools of its first argument, one per page. They do nothing. */
import { createInterface } from 'node:readline'

const tools = JSON.parse(process.argv[2] ?? '[]') as readonly unknown[]

interface Request {
  readonly id?: number
  readonly method: string
  readonly params?: { readonly cursor?: string; readonly protocolVersion?: string }
}

function answerTo({ method, params }: Request): unknown {
  if (method === 'initialize')
    return {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'list', version: '1' },
    }
  if (method === 'tools/call') return { content: [{ type: 'text', text: 'done' }] }
  const at = Number(params?.cursor ?? 0)
  return {
    tools: tools.slice(at, at + 1),
    ...(at + 1 < tools.length && { nextCursor: String(at + 1) }),
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const request = JSON.parse(line) as Request
  if (request.id === undefined) return
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: request.id, result: answerTo(request) })}\n`)
})
