import { once } from 'node:events'
import { createServer } from 'node:http'
import { type Said, streamMessage } from '../support/models/message-stream.js'
import type { Script, ScriptedCall } from './desk.js'

/** A server on 127.0.0.1 that speaks as Anthropic's `/v1/messages` does and makes the calls of a script, a turn each time it is asked. */
export interface MessagesServer {
  readonly url: string
  /** What the model got for each of its calls, in order. */
  reported(): readonly string[]
  close(): Promise<void>
}

interface Asked {
  readonly model: string
  readonly tools?: readonly unknown[]
  readonly messages: readonly { readonly content: string | readonly Block[] }[]
}

interface Block {
  readonly type: string
  readonly tool_use_id?: string
  readonly content?: unknown
}

/** `nameOf` gives the name under which the client offers a tool. */
export async function serveMessages(
  script: Script,
  nameOf: (tool: string) => string,
): Promise<MessagesServer> {
  const results = new Map<string, string>()
  let turn = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (request.method !== 'POST' || request.url?.startsWith('/v1/messages?') !== true) {
        response.writeHead(404).end()
        return
      }
      const asked = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Asked
      for (const { id, text } of resultsIn(asked)) results.set(id, text)
      // Titles and the like are asked for without tools: they are no turn of the agent's.
      const calls = asked.tools?.length ? (script[turn++] ?? []) : []
      streamMessage(response, asked.model, blocksOf(calls, turn, nameOf))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('a server has an address once it listens')
  return {
    url: `http://127.0.0.1:${address.port}`,
    reported: () => [...results.values()],
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function resultsIn({ messages }: Asked): readonly { id: string; text: string }[] {
  const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content))
  return blocks
    .filter(({ type }) => type === 'tool_result')
    .map(({ tool_use_id: id = '', content }) => ({ id, text: JSON.stringify(content) }))
}

function blocksOf(
  calls: readonly ScriptedCall[],
  turn: number,
  nameOf: (tool: string) => string,
): readonly Said[] {
  if (calls.length === 0) return [{ type: 'text', text: 'done' }]
  return calls.map(({ tool, arguments: input, id }, i) => ({
    type: 'tool_use',
    id: id ?? `toolu_${turn}_${i}`,
    name: nameOf(tool),
    input,
  }))
}
