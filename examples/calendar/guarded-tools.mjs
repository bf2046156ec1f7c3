import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { fileURLToPath } from 'node:url'

const SERVER = fileURLToPath(new URL('server.mjs', import.meta.url))

/** Starts the MCP server and connects to it; `outbox` is the file that receives its mail. */
export async function connectTools(outbox) {
  const client = new Client({ name: 'calendar-agent', version: '1.0.0' })
  const env = { PATH: process.env.PATH ?? '', ...(outbox && { CALENDAR_OUTBOX: outbox }) }
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [SERVER], env }))
  const { tools } = await client.listTools()
  return {
    descriptions: new Map(tools.map(({ name, description }) => [name, description])),
    call: (step) => client.callTool({ name: step.tool, arguments: step.arguments }),
    close: () => client.close(),
  }
}

/**
 * Proposes each call to `session`, runs it if it may run, and reports the outcome. `onAnswer` gets each answer, `onResult` each result.
 * The server does not know Plimsoll. The agent has no other way to the tools.
 */
export function guarded(tools, session, { onAnswer, onResult }) {
  return async (step) => {
    const asked = await session.propose({ ...step, description: tools.descriptions.get(step.tool) })
    onAnswer(step, asked)
    if (!asked.mayRun) return undefined
    const result = await tools.call(step)
    // Its text stays in this process. Its labels and fingerprints are sent.
    await session.complete(asked, { outcome: result.isError ? 'error' : 'ok', result: result.content })
    onResult(step, result)
    return result
  }
}
