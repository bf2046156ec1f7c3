import { createPlimsollMiddleware } from '@plimsoll/client/langchain'
import { AIMessage, createAgent, fakeModel, tool, toolErrorMiddleware, ToolMessage } from 'langchain'
import * as z from 'zod'
import { testFramework, type Drive } from './contract.js'

const drive: Drive = async (desk, script) => {
  const model = fakeModel()
  for (const turn of script)
    model.respondWithTools(
      turn.map(({ tool: name, arguments: args, id }) => ({ name, args, ...(id && { id }) })),
    )
  model.respond(new AIMessage('done'))
  const tools = desk.tools.map(({ name, description, run }) =>
    tool((values) => run(values), { name, description, schema: z.looseObject({}) }),
  )
  const plimsoll = createPlimsollMiddleware(desk.session, { onConfirm: desk.onConfirm })
  // The first makes tools' errors the model's to read; ours goes last.
  const middleware = [toolErrorMiddleware({ onError: String }), plimsoll]
  const agent = createAgent({ model, tools, middleware })
  const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'Go.' }] })
  return messages.filter((message) => ToolMessage.isInstance(message)).map(({ text }) => text)
}

testFramework('LangChain', drive)
