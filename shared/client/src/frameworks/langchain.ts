import { type AgentMiddleware, type ToolCallRequest, ToolMessage, createMiddleware } from 'langchain'
import { type ProposedStep, type RunOptions, type Session, type StepResult, StepBlocked } from '../session.js'
import { type AdapterOptions, type SessionSource, argumentsOf, callIdOf, sessionOf } from './mastra.js'

export type { AdapterOptions, SessionSource } from './mastra.js'

/**
 * Middleware of `createAgent` that asks before each tool call and tells what came of it. A call that may not run is answered to the
 * model by a tool message of status `error` that says why and what would do instead. Goes last among the middleware: what others make
 * of a call's arguments is then what is asked about, and each of their retries is a call of its own.
 *
 * @example
 * const session = await client.startSession({ category: 'research_comms', task })
 * const agent = createAgent({ model, tools, middleware: [createPlimsollMiddleware(session)] })
 */
export function createPlimsollMiddleware(
  source: SessionSource<ToolCallRequest>,
  options: AdapterOptions = {},
): AgentMiddleware {
  return createMiddleware({
    name: 'Plimsoll',
    wrapToolCall: async (request, handler) => {
      const { toolCall, tool, runtime } = request
      const session = await sessionOf(source, request)
      return runCall(
        session,
        toolCall,
        { ...options, signal: runtime.signal },
        (args) => handler({ ...request, toolCall: { ...toolCall, args } }),
        tool && 'description' in tool ? tool.description : undefined,
      )
    },
  })
}

/** What a graph's node for tools knows of one. */
export interface GraphTool {
  readonly name: string
  readonly description?: string
  invoke(input: never, config?: never): Promise<unknown>
}

/** What LangGraph runs a tool with. */
export interface GraphConfig {
  readonly signal?: AbortSignal
  readonly configurable?: Readonly<Record<string, unknown>>
}

/**
 * `tools` that ask before they run, for graphs that call them by a `ToolNode` rather than by `createAgent`.
 *
 * @example
 * const graph = new StateGraph(MessagesAnnotation).addNode('tools', new ToolNode(guardTools(session, tools)))
 */
export function guardTools<T extends GraphTool>(
  source: SessionSource<GraphConfig>,
  tools: readonly T[],
  options: AdapterOptions = {},
): T[] {
  return tools.map((tool) => {
    const invokeTool = tool.invoke.bind(tool) as (input: unknown, config?: GraphConfig) => Promise<unknown>
    const invoke = async (input: unknown, config: GraphConfig = {}): Promise<unknown> => {
      const session = await sessionOf(source, config)
      const terms = { ...options, signal: config.signal }
      if (isCall(input))
        return runCall(
          session,
          { ...input, name: tool.name },
          terms,
          (args) => invokeTool({ ...input, args }, config),
          tool.description,
        )
      const step = { tool: tool.name, arguments: argumentsOf(input) }
      return session.run(step, () => invokeTool(input, config), { ...terms, report: resultOf })
    }
    // Whatever else the tool is stays as it is.
    return Object.create(tool, { invoke: { value: invoke } }) as T
  })
}

type ToolCall = ToolCallRequest['toolCall']

/** Runs a model's call with the arguments that were asked about, or says why not. */
async function runCall<T>(
  session: Session,
  call: ToolCall,
  terms: RunOptions<T>,
  execute: (args: ToolCall['args']) => T | Promise<T>,
  description: unknown,
): Promise<T | ToolMessage> {
  const step: ProposedStep = {
    tool: call.name,
    arguments: argumentsOf(call.args),
    ...callIdOf(call.id),
    ...(typeof description === 'string' && { description }),
  }
  try {
    return await session.run(step, (args) => execute({ ...args }), { ...terms, report: resultOf })
  } catch (error) {
    if (!(error instanceof StepBlocked)) throw error
    return new ToolMessage({
      status: 'error',
      content: error.message,
      name: call.name,
      tool_call_id: call.id ?? '',
    })
  }
}

const isCall = (input: unknown): input is ToolCall =>
  typeof input === 'object' &&
  input !== null &&
  'type' in input &&
  input.type === 'tool_call' &&
  'args' in input

/** A tool's answer, or a `Command`, whose messages and update are read as they are. */
function resultOf(value: unknown): StepResult {
  if (!ToolMessage.isInstance(value)) return { result: value }
  return { outcome: value.status === 'error' ? 'error' : 'ok', result: value.content }
}
