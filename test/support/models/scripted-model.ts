import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { streamMessage } from './message-stream.js'

/** A call that the model makes. */
export interface ScriptedCall {
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
}

export interface ScriptedModel {
  readonly url: string
  /** Results of tools that came back, as text, in order. */
  readonly results: () => readonly string[]
  close(): Promise<void>
}

type Body = Readonly<Record<string, unknown>>

/** How one protocol says what came back, and streams a call or a text. */
interface Protocol {
  readonly path: RegExp
  readonly resultsIn: (body: Body) => readonly string[]
  readonly send: (response: ServerResponse, next: ScriptedCall | undefined, at: number) => void
}

const list = (value: unknown): readonly Body[] => (Array.isArray(value) ? (value as Body[]) : [])
const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
const DONE = 'All done.'

const frames = (
  response: ServerResponse,
  events: readonly (readonly [string | undefined, object | string])[],
): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const [event, data] of events)
    response.write(
      `${event === undefined ? '' : `event: ${event}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
    )
  response.end()
}

/** Anthropic's Messages. */
const messages: Protocol = {
  path: /\/v1\/messages(?:\?|$)/,
  resultsIn: ({ messages: all }) =>
    list(all)
      .flatMap(({ content }) => list(content))
      .filter(({ type }) => type === 'tool_result')
      .map(({ content }) => plain(content)),
  send: (response, next, at) =>
    streamMessage(response, 'scripted', [
      next
        ? { type: 'tool_use', id: `toolu_${at}`, name: next.tool, input: next.arguments }
        : { type: 'text', text: DONE },
    ]),
}

/** OpenAI's chat completions. */
const completions: Protocol = {
  path: /\/chat\/completions/,
  resultsIn: ({ messages: all }) =>
    list(all)
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => plain(content)),
  send: (response, next, at) => {
    const called = next && {
      tool_calls: [
        {
          index: 0,
          id: `call_${at}`,
          type: 'function',
          function: { name: next.tool, arguments: JSON.stringify(next.arguments) },
        },
      ],
    }
    const chunk = (delta: object, finish: string | null) => ({
      id: `c-${at}`,
      object: 'chat.completion.chunk',
      created: 1,
      model: 'scripted',
      choices: [{ index: 0, delta, finish_reason: finish }],
      ...(finish !== null && { usage: { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 } }),
    })
    frames(response, [
      [undefined, chunk({ role: 'assistant', ...(called ?? { content: DONE }) }, null)],
      [undefined, chunk({}, next ? 'tool_calls' : 'stop')],
      [undefined, '[DONE]'],
    ])
  },
}

/** OpenAI's responses. */
const responses: Protocol = {
  path: /\/responses/,
  resultsIn: ({ input }) =>
    list(input)
      .filter(({ type }) => type === 'function_call_output' || type === 'custom_tool_call_output')
      .map(({ output }) => plain(output)),
  send: (response, next, at) => {
    const id = `resp_${at}`
    const item = next
      ? {
          type: 'function_call',
          id: `fc_${at}`,
          call_id: `call_${at}`,
          name: next.tool,
          arguments: JSON.stringify(next.arguments),
          status: 'completed',
        }
      : {
          type: 'message',
          id: `m_${at}`,
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: DONE, annotations: [] }],
        }
    const usage = {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 10,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 20,
    }
    frames(response, [
      ['response.created', { type: 'response.created', response: { id } }],
      ['response.output_item.done', { type: 'response.output_item.done', output_index: 0, item }],
      ['response.completed', { type: 'response.completed', response: { id, usage, output: [item] } }],
    ])
  },
}

const PROTOCOLS = [messages, completions, responses]

/**
 * A model on this machine that makes the given calls in order, each when the result before it has come, and then ends. It has the protocols of
 * Anthropic and OpenAI, streamed.
 */
export async function startScriptedModel(calls: readonly ScriptedCall[]): Promise<ScriptedModel> {
  let results: readonly string[] = []
  let requests = 0

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const protocol = PROTOCOLS.find(({ path }) => path.test(request.url ?? ''))
    const body = parsed(Buffer.concat(parts).toString('utf8'))
    if (!protocol || request.method !== 'POST') {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ input_tokens: 10, data: [], models: [], object: 'list' }))
      return
    }
    const found = protocol.resultsIn(body)
    // Requests without tools ask for titles and the like.
    const isMain = list(body['tools']).length > 0
    if (isMain && found.length >= results.length) results = found
    protocol.send(response, isMain ? calls[found.length] : undefined, requests++)
  }

  const server: Server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    results: () => results,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function parsed(text: string): Body {
  try {
    return JSON.parse(text) as Body
  } catch {
    return {}
  }
}
