import { AIMessage, fakeModel, tool } from 'langchain'
import * as z from 'zod'
import type { DeskTool, Script } from './desk.js'

/** A model of LangChain's own for tests, which makes the calls of `script`. */
export function langchainModel(script: Script): ReturnType<typeof fakeModel> {
  const model = fakeModel()
  for (const turn of script)
    model.respondWithTools(
      turn.map(({ tool: name, arguments: args, id }) => ({ name, args: { ...args }, ...(id && { id }) })),
    )
  return model.respond(new AIMessage('done'))
}

export const langchainTools = (tools: readonly DeskTool[]) =>
  tools.map(({ name, description, run }) =>
    tool((values) => run(values), { name, description, schema: z.looseObject({}) }),
  )
