import { once } from 'node:events'
import { createServer } from 'node:http'

export interface SaidLabels {
  readonly capability: string
  readonly confidentiality: string
  readonly trust: string
  readonly reversibility: string
  readonly reason: string
}

/** A server on 127.0.0.1 that speaks as `/v1/chat/completions` does. */
export interface ModelServer {
  readonly url: string
  /** The user's message of each request. */
  readonly asked: string[]
  close(): Promise<void>
}

/** Serves what `answer` gives for each tool; nothing is answered until it resolves, and a status where it gives one. */
export async function serveModel(
  answer: (tool: string) => Promise<SaidLabels | number> | SaidLabels | number,
): Promise<ModelServer> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const user = userIn(Buffer.concat(chunks).toString('utf8'))
      asked.push(user)
      const { tool } = JSON.parse(user) as { tool: string }
      void Promise.resolve(answer(tool)).then((said) => {
        if (typeof said === 'number') return response.writeHead(said).end()
        const message = { role: 'assistant', content: JSON.stringify(said), refusal: null }
        response.writeHead(200, { 'content-type': 'application/json' })
        return response.end(
          JSON.stringify({ id: 'c-1', choices: [{ index: 0, message, finish_reason: 'stop' }] }),
        )
      })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('a server has an address once it listens')
  return {
    url: `http://127.0.0.1:${address.port}`,
    asked,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function userIn(body: string): string {
  const { messages } = JSON.parse(body) as { messages: { role: string; content: string }[] }
  return messages.find(({ role }) => role === 'user')?.content ?? '{}'
}
