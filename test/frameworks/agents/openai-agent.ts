import { Usage, type Model, type ModelResponse } from '@openai/agents'
import type { DeskTool, Script } from '../desk.js'

const ANY = { type: 'object' as const, properties: {}, required: [], additionalProperties: true as const }

/** What `tool()` takes. */
export const openAiTools = (tools: readonly DeskTool[]) =>
  tools.map(({ name, description, run }) => ({
    name,
    description,
    parameters: ANY,
    strict: false as const,
    execute: (values: unknown) => run(values as Record<string, unknown>),
  }))

/** A model that makes the calls of `script`, a turn each time that it is asked. */
export function openAiModel(script: Script): Model & { readonly shown: () => string } {
  let turn = 0
  let last: unknown
  return {
    shown: () => JSON.stringify(last),
    getResponse: async ({ input }) => {
      last = input
      return response(script[turn++] ?? [], turn)
    },
    getStreamedResponse: () => {
      throw new Error('this model does not stream')
    },
  }
}

function response(calls: Script[number], turn: number): ModelResponse {
  const called = calls.map(({ tool: name, arguments: values, id }, i) => ({
    type: 'function_call' as const,
    callId: id ?? `call-${turn}-${i}`,
    name,
    arguments: JSON.stringify(values),
    status: 'completed' as const,
  }))
  const done = {
    type: 'message' as const,
    role: 'assistant' as const,
    status: 'completed' as const,
    content: [{ type: 'output_text' as const, text: 'done' }],
  }
  return { usage: new Usage(), output: called.length > 0 ? called : [done] }
}
