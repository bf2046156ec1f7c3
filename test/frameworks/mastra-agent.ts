import { Agent } from '@mastra/core/agent'
import type { MastraModelConfig } from '@mastra/core/llm'
import { createTool } from '@mastra/core/tools'
import { z } from 'zod'
import type { Desk, Script } from './desk.js'
import { scriptedModel, turnsOf, type ScriptedModel } from './sdk-model.js'

/** A Mastra agent with a desk's tools, and the model that it follows. */
export function agentAt(
  desk: Pick<Desk, 'tools'>,
  script: Script,
): ScriptedModel & { readonly agent: Agent } {
  const scripted = scriptedModel('v4', turnsOf(script))
  const tools = Object.fromEntries(
    desk.tools.map(({ name, description, run }) => [
      name,
      createTool({
        id: name,
        description,
        inputSchema: z.looseObject({}),
        execute: async (values) => run(values),
      }),
    ]),
  )
  const agent = new Agent({
    id: 'desk',
    name: 'Desk',
    instructions: 'See to the desk.',
    // Its types and those of the SDK, whose models it takes, are copies of one another.
    model: scripted.model as unknown as MastraModelConfig,
    tools,
  })
  return { ...scripted, agent }
}
