import { Agent, Runner, tool, Usage, type Model, type ModelResponse } from '@openai/agents'
import { createToolGuardrails } from '@plimsoll/client/openai-agents'
import { testFramework, type Drive } from './contract.js'
import type { Script } from './desk.js'

const drive: Drive = async (desk, script) => {
  const guardrails = createToolGuardrails(desk.session, { onConfirm: desk.onConfirm })
  const tools = desk.tools.map(({ name, description, run }) =>
    tool({
      name,
      description,
      parameters: { type: 'object', properties: {}, required: [], additionalProperties: true },
      strict: false,
      execute: (values) => run(values as Record<string, unknown>),
      ...guardrails,
    }),
  )
  const agent = new Agent({ name: 'desk', model: scripted(script), tools })
  const { history } = await new Runner({ tracingDisabled: true }).run(agent, 'Go.')
  return history.flatMap((item) =>
    item.type === 'function_call_result' ? [JSON.stringify(item.output)] : [],
  )
}

/** A model that makes the calls of `script`, a turn each time that it is asked. */
function scripted(script: Script): Model {
  let turn = 0
  return {
    getResponse: async () => response(script[turn++] ?? [], turn),
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

testFramework('OpenAI Agents SDK', drive)
