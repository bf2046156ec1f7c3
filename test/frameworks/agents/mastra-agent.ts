import { Agent } from '@mastra/core/agent'
import type { MastraModelConfig } from '@mastra/core/llm'
import { createTool } from '@mastra/core/tools'
import { z } from 'zod'
import type { DeskTool, Script } from '../desk.js'
import { scriptedModel, turnsOf, type ScriptedModel } from '../sdk-model.js'

export interface MastraModel extends Pick<ScriptedModel, 'shown'> {
  readonly model: MastraModelConfig
}

/** A model that follows `script`. Mastra's types and those of the SDK, whose models it takes, are copies of one another. */
export function mastraModel(script: Script): MastraModel {
  const { model, shown } = scriptedModel('v4', turnsOf(script))
  return { model: model as unknown as MastraModelConfig, shown }
}

export const mastraTools = (tools: readonly DeskTool[]) =>
  Object.fromEntries(
    tools.map(({ name, description, run }) => [
      name,
      createTool({
        id: name,
        description,
        inputSchema: z.looseObject({}),
        execute: async (values) => run(values),
      }),
    ]),
  )

/** An agent with a desk's tools, and what its model is shown. */
export function agentAt(
  { tools }: { readonly tools: readonly DeskTool[] },
  script: Script,
): Pick<ScriptedModel, 'shown'> & { readonly agent: Agent } {
  const { model, shown } = mastraModel(script)
  const agent = new Agent({
    id: 'desk',
    name: 'Desk',
    instructions: 'See to the desk.',
    model,
    tools: mastraTools(tools),
  })
  return { agent, shown }
}
