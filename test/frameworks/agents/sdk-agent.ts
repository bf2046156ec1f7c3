import { guardTools, type GuardToolsOptions } from '@plimsoll/client/ai-sdk'
import type { Session } from '@plimsoll/client'
import type { generateText, ModelMessage, stepCountIs, streamText, tool, ToolSet } from 'ai'
import { z } from 'zod'
import type { DeskTool, Script } from '../desk.js'
import { scriptedModel, turnsOf, type Shown } from '../sdk-model.js'

/** What is used of the package; the types are those of major 7. */
export interface Sdk {
  readonly generateText: typeof generateText
  readonly streamText: typeof streamText
  readonly stepCountIs: typeof stepCountIs
  readonly tool: typeof tool
}

/** A major of the SDK and what its models speak. */
export interface SdkMajor {
  readonly sdk: Sdk
  readonly specificationVersion: 'v3' | 'v4'
}

export interface SdkRun extends GuardToolsOptions {
  readonly tools: readonly DeskTool[]
  readonly script: Script
  /** The run is guarded where there is one. */
  readonly session: Session | undefined
  readonly messages?: readonly ModelMessage[]
  readonly abortSignal?: AbortSignal
}

export interface SdkRan {
  readonly shown: readonly Shown[]
  readonly messages: ModelMessage[]
}

export const sdkTools = ({ tool }: Sdk, tools: readonly DeskTool[]): ToolSet =>
  Object.fromEntries(
    tools.map(({ name, description, run }) => [
      name,
      tool({ description, inputSchema: z.looseObject({}), execute: async (input) => run(input) }),
    ]),
  )

/** Runs an agent with a model that follows `script`. */
export async function runSdk({ sdk, specificationVersion }: SdkMajor, run: SdkRun): Promise<SdkRan> {
  const { tools: given, script, session, messages: before, abortSignal, ...options } = run
  const messages: ModelMessage[] = before ? [...before] : [{ role: 'user', content: 'Go.' }]
  const { model, shown } = scriptedModel(specificationVersion, turnsOf(script))
  const tools = sdkTools(sdk, given)
  const { response } = await sdk.generateText({
    model,
    messages,
    stopWhen: sdk.stepCountIs(script.length + 1),
    ...(abortSignal && { abortSignal }),
    ...(session ? guardTools(session, tools, options) : { tools }),
  })
  return { shown: shown(), messages: [...messages, ...response.messages] }
}
