import type {
  RunContext,
  Tool,
  ToolInputGuardrailData,
  ToolInputGuardrailDefinition,
  ToolOutputGuardrailDefinition,
} from '@openai/agents'
import { parseJson } from '@plimsoll/contracts'
import { explain } from '../answer.js'
import { type AdapterOptions, type SessionSource, createOpenSteps, sessionOf, stepOf } from './adapter.js'

export type { AdapterOptions, SessionSource } from './adapter.js'

export interface GuardrailOptions extends AdapterOptions {
  /** Returns the text that the model gets for a tool that threw. Default: the framework's. */
  readonly describeError?: (error: unknown) => string
}

/** To be spread into `tool({ … })`; an MCP server takes the two lists as `toolInputGuardrails` and `toolOutputGuardrails`. */
export interface ToolGuardrails<Context = unknown> {
  readonly inputGuardrails: ToolInputGuardrailDefinition<Context>[]
  readonly outputGuardrails: ToolOutputGuardrailDefinition<Context>[]
  /** Without it, a tool that threw is reported as if it had returned the text of its error. */
  readonly errorFunction: (context: RunContext<Context>, error: unknown, details?: CallDetails) => string
}

interface CallDetails {
  readonly toolCall?: ToolCall
}

type ToolCall = ToolInputGuardrailData['toolCall']

/**
 * Guardrails that propose each tool call before it runs and report its result. A call that may not run is answered to the model with the
 * reason and what to do instead.
 *
 * @example
 * const session = await client.startSession({ category: 'research_comms', task })
 * const guardrails = createToolGuardrails(session)
 * const sendEmail = tool({ name: 'send_email', description, parameters, execute, ...guardrails })
 */
export function createToolGuardrails<Context = unknown>(
  source: SessionSource<ToolInputGuardrailData<Context>>,
  { describeError = () => ERROR_TEXT, ...terms }: GuardrailOptions = {},
): ToolGuardrails<Context> {
  const open = createOpenSteps<ToolCall>(new WeakMap())
  const toolsOf = createToolReader<Context>()

  const before: ToolInputGuardrailDefinition<Context> = {
    type: 'tool_input',
    name: 'plimsoll',
    run: async (data) => {
      const { toolCall } = data
      // Runs that check before an approval check again after it.
      if (open.has(toolCall)) return { behavior: { type: 'allow' } }
      const session = await sessionOf(source, data)
      const { name: tool, callId, arguments: text } = toolCall
      // A model's text that is not JSON stays text, and the tool will refuse it.
      const parsed = parseJson(text || '{}')
      const tools = await toolsOf(data)
      // The tools behind a handoff are not known here.
      if (data.agent.handoffs.length === 0) session.addTools(tools.keys())
      const input = parsed === undefined ? text : parsed
      const answer = await session.ask(stepOf({ tool, input, callId, description: tools.get(tool) }), terms)
      if (!answer.mayRun) return { behavior: { type: 'rejectContent', message: explain(answer) } }
      open.add(toolCall, session, answer)
      return { behavior: { type: 'allow' } }
    },
  }

  const after: ToolOutputGuardrailDefinition<Context> = {
    type: 'tool_output',
    name: 'plimsoll',
    run: async ({ toolCall, output }) => {
      await open.complete(toolCall, { result: output })
      return { behavior: { type: 'allow' } }
    },
  }

  return {
    inputGuardrails: [before],
    outputGuardrails: [after],
    errorFunction: (_context, error, details) => {
      if (details?.toolCall) open.failed(details.toolCall)
      return describeError(error)
    },
  }
}

/** Returns the tools of a call's agent by name, with their descriptions; read once of each agent, because MCP servers are asked. */
function createToolReader<Context>() {
  type Data = ToolInputGuardrailData<Context>
  const read = new WeakMap<Data['agent'], Promise<ReadonlyMap<string, unknown>>>()

  async function readTools({ agent, context }: Data): Promise<ReadonlyMap<string, unknown>> {
    const tools: readonly Tool[] = await agent.getAllTools(context).catch(() => [])
    return new Map(tools.map((tool) => [tool.name, 'description' in tool ? tool.description : undefined]))
  }

  return (data: Data): Promise<ReadonlyMap<string, unknown>> => {
    const known = read.get(data.agent) ?? readTools(data)
    read.set(data.agent, known)
    return known
  }
}

/** The framework's default. Errors may hold text that a model should not see. */
const ERROR_TEXT = 'An error occurred while running the tool. Please try again.'
