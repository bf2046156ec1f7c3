import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Answer } from './answer.js'

/** A request to the model server. */
export interface Asked {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Readonly<Record<string, unknown>>
}

/** Answers the n-th request, from 0; the last one repeats. */
export type Way = (response: ServerResponse) => void

/** A model server on 127.0.0.1, for tests. */
export interface ModelServer {
  readonly url: string
  readonly asked: Asked[]
  close(): Promise<void>
}

export async function serveModel(...ways: readonly Way[]): Promise<ModelServer> {
  const asked: Asked[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request)
    const way = ways[Math.min(asked.length, ways.length - 1)]
    asked.push({ path: request.url ?? '', headers: request.headers, body })
    way?.(response)
  }
  const server = createServer((request, response) => {
    void answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>
}

export const sampleAnswer: Answer = {
  capability: 'network',
  confidentiality: 'sensitive',
  trust: 'untrusted',
  reversibility: 'irreversible',
  reason: 'hands tickets to another firm',
}

export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Way =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }

/** As `/v1/chat/completions` answers. */
export const completion = (content: unknown, over: object = {}, finish = 'stop'): Way =>
  json({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'test-model',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: typeof content === 'string' ? content : JSON.stringify(content),
          refusal: null,
          ...over,
        },
        finish_reason: finish,
      },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  })

/** As `/v1/messages` answers. */
export const message = (content: readonly object[], stop = 'tool_use'): Way =>
  json({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'test-model',
    content,
    stop_reason: stop,
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  })

export const toolUse = (input: unknown) => ({ type: 'tool_use', id: 'toolu_1', name: 'label_tool', input })
