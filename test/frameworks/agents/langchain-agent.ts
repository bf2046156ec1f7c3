import { AIMessage, fakeModel, tool } from 'langchain'
import * as z from 'zod'
import type { DeskTool, Script } from '../desk.js'

/** A model of LangChain's own for tests, which makes the calls of `script`. */
export function langchainModel(script: Script): ReturnType<typeof fakeModel> {
  const model = fakeModel()
  for (const turn of script) {
    const calls = turn.map(({ tool: name, arguments: args, id }, i) => ({
      type: 'tool_call' as const,
      name,
      args: { ...args },
      id: id ?? `call-${script.indexOf(turn)}-${i}`,
    }))
    model.respond(new AIMessage({ content: '', tool_calls: calls }))
  }
  return model.respond(new AIMessage('done'))
}

export const langchainTools = (tools: readonly DeskTool[]) =>
  tools.map(({ name, description, run }) =>
    tool((values) => run(values), { name, description, schema: z.looseObject({}) }),
  )
