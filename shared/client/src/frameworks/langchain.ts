import { type AgentMiddleware, type ToolCallRequest, ToolMessage, createMiddleware } from 'langchain'
import { StepBlocked } from '../answer.js'
import { type RunOptions, type Session, type StepResult } from '../session.js'
import { type AdapterOptions, type SessionSource, sessionOf, stepOf } from './adapter.js'

export type { AdapterOptions, SessionSource } from './adapter.js'

/**
 * Middleware of `createAgent` that proposes each tool call before it runs and reports its result. A call that may not run is answered to
 * the model by a tool message of status `error` with the reason and what to do instead. Put it last, so that it sees the arguments as
 * other middleware leaves them, and each retry as a call.
 *
 * @example
 * const session = await client.startSession({ category: 'research_comms', task })
 * const agent = createAgent({ model, tools, middleware: [createPlimsollMiddleware(session)] })
 */
export function createPlimsollMiddleware(
  source: SessionSource<ToolCallRequest>,
  options: AdapterOptions = {},
): AgentMiddleware {
  /** Of the agent, as its model was last offered them. */
  let offered: readonly string[] = []
  return createMiddleware({
    name: 'Plimsoll',
    wrapModelCall: (request, handler) => {
      offered = request.tools.flatMap(({ name }) => (typeof name === 'string' ? [name] : []))
      return handler(request)
    },
    wrapToolCall: async (request, handler) => {
      const { toolCall, tool, runtime } = request
      const session = await sessionOf(source, request)
      session.addTools(offered)
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

/** A tool of a graph. */
export interface GraphTool {
  readonly name: string
  readonly description?: string
  invoke(input: never, config?: never): Promise<unknown>
}

/** What LangGraph passes to a tool. */
export interface GraphConfig {
  readonly signal?: AbortSignal
  readonly configurable?: Readonly<Record<string, unknown>>
}

/**
 * `tools` that are proposed before they run, for graphs that use a `ToolNode` instead of `createAgent`.
 *
 * @example
 * const graph = new StateGraph(MessagesAnnotation).addNode('tools', new ToolNode(guardTools(session, tools)))
 */
export function guardTools<T extends GraphTool>(
  source: SessionSource<GraphConfig>,
  tools: readonly T[],
  options: AdapterOptions = {},
): T[] {
  const names = tools.map(({ name }) => name)
  return tools.map((tool) => {
    const invokeTool = tool.invoke.bind(tool) as (input: unknown, config?: GraphConfig) => Promise<unknown>
    const invoke = async (input: unknown, config: GraphConfig = {}): Promise<unknown> => {
      const session = await sessionOf(source, config)
      session.addTools(names)
      const terms = { ...options, signal: config.signal }
      if (isCall(input))
        return runCall(
          session,
          { ...input, name: tool.name },
          terms,
          (args) => invokeTool({ ...input, args }, config),
          tool.description,
        )
      // The caller may change its input while the step waits.
      const isRecord = typeof input === 'object' && input !== null && !Array.isArray(input)
      return session.run(
        stepOf({ tool: tool.name, input }),
        (args) => invokeTool(isRecord ? { ...args } : args['input'], config),
        { ...terms, report: resultOf },
      )
    }
    // Everything else of the tool is inherited.
    return Object.create(tool, { invoke: { value: invoke } }) as T
  })
}

type ToolCall = ToolCallRequest['toolCall']

/** Runs a model's call with the arguments that were proposed, or returns why not. */
async function runCall<T>(
  session: Session,
  call: ToolCall,
  terms: RunOptions<T>,
  execute: (args: ToolCall['args']) => T | Promise<T>,
  description: unknown,
): Promise<T | ToolMessage> {
  const step = stepOf({ tool: call.name, input: call.args, callId: call.id, description })
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

/** The report of a tool message; of a `Command` its messages and update. */
function resultOf(value: unknown): StepResult {
  if (!ToolMessage.isInstance(value)) return { result: value }
  return { outcome: value.status === 'error' ? 'error' : 'ok', result: value.content }
}
