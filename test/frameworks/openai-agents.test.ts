import { Agent, Runner, tool } from '@openai/agents'
import { createToolGuardrails } from '@plimsoll/client/openai-agents'
import { testFramework, type Drive } from './contract.js'
import { openAiModel, openAiTools } from './openai-agent.js'

const drive: Drive = async (desk, script) => {
  const guardrails = createToolGuardrails(desk.session, { onConfirm: desk.onConfirm })
  const tools = openAiTools(desk.tools).map((definition) => tool({ ...definition, ...guardrails }))
  const agent = new Agent({ name: 'desk', model: openAiModel(script), tools })
  const { history } = await new Runner({ tracingDisabled: true }).run(agent, 'Go.')
  return history.flatMap((item) =>
    item.type === 'function_call_result' ? [JSON.stringify(item.output)] : [],
  )
}

testFramework('OpenAI Agents SDK', drive)
