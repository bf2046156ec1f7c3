import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Revision } from './suite.js'

/** A client of `era` that answers whatever a server asks it. */
export async function connect(url: string, era: Revision) {
  const asked: string[] = []
  const changes = new EventTarget()
  const client = new Client(
    { name: 'mixed', version: '1' },
    {
      capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} },
      listChanged: {
        tools: { autoRefresh: false, onChanged: () => void changes.dispatchEvent(new Event('tools')) },
      },
      versionNegotiation: { mode: era === '2026-07-28' ? { pin: era } : 'legacy' },
    },
  )
  client.setRequestHandler('elicitation/create', ({ params }) => {
    asked.push(params.message)
    return { action: 'accept', content: { username: 'ann', email: 'ann@example.com', name: 'Ann', ok: true } }
  })
  client.setRequestHandler('sampling/createMessage', ({ params }) => {
    asked.push(JSON.stringify(params.messages))
    return { role: 'assistant', model: 'scripted', content: { type: 'text', text: 'Paris' } }
  })
  client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///here', name: 'here' }] }))
  const requestInit = { headers: { authorization: 'Bearer key-of-desk' } }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }))
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: args })
    const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n')
    assert.notEqual(isError, true, text)
    return text
  }
  return { client, asked, call, toolsChanged: () => once(changes, 'tools') }
}

export type Connected = Awaited<ReturnType<typeof connect>>
