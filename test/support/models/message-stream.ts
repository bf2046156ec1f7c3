import type { ServerResponse } from 'node:http'

/** A part of a message of the model: a text, or a call. */
export type Said =
  { type: 'text'; text: string } | { type: 'tool_use'; id: string; name: string; input: unknown }

/** Streams one message as Anthropic's `/v1/messages` does. */
export function streamMessage(response: ServerResponse, model: string, blocks: readonly Said[]): void {
  const send = (event: { readonly type: string } & Readonly<Record<string, unknown>>) =>
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  const usage = { input_tokens: 1, output_tokens: 1 }
  const head = { id: 'msg_1', type: 'message', role: 'assistant', model, content: [], usage }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  send({ type: 'message_start', message: { ...head, stop_reason: null, stop_sequence: null } })
  for (const [index, block] of blocks.entries()) {
    const [start, delta] =
      block.type === 'text'
        ? [
            { ...block, text: '' },
            { type: 'text_delta', text: block.text },
          ]
        : [
            { ...block, input: {} },
            { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
          ]
    send({ type: 'content_block_start', index, content_block: start })
    send({ type: 'content_block_delta', index, delta })
    send({ type: 'content_block_stop', index })
  }
  const isCall = blocks.some(({ type }) => type === 'tool_use')
  send({ type: 'message_delta', delta: { stop_reason: isCall ? 'tool_use' : 'end_turn' }, usage })
  send({ type: 'message_stop' })
  response.end()
}
