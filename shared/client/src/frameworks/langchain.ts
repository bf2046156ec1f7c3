import { createMiddleware, ToolMessage, type AgentMiddleware, type ToolCallRequest } from 'langchain'
import { StepBlocked } from '../explanation.js'
import type { ProposedStep, StepResult } from '../session.js'
import { argumentsOf, callIdOf, sessionOf, type AdapterOptions, type SessionSource } from './step.js'

export type { AdapterOptions, SessionSource } from './step.js'

/**
 * Middleware of `createAgent` that asks before each tool call and tells what came of it. A call that may not run is answered to the model by a tool
 * message of status `error` that says why and what would do instead. Goes last among the middleware: what others make of a call's
 * arguments is then what is asked about, and each of their retries is a call of its own.
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
      const { toolCall, runtime } = request
      const session = await sessionOf(source, request)
      const runWith = (args: ProposedStep['arguments']) =>
        handler({ ...request, toolCall: { ...toolCall, args: { ...args } } })
      try {
        const terms = { ...options, signal: runtime.signal, tell: resultOf }
        return await session.run(stepOf(request), runWith, terms)
      } catch (error) {
        if (error instanceof StepBlocked) return refusal(toolCall, error.message)
        throw error
      }
    },
  })
}

function stepOf({ toolCall, tool }: ToolCallRequest): ProposedStep {
  const description = tool && 'description' in tool ? tool.description : undefined
  return {
    tool: toolCall.name,
    arguments: argumentsOf(toolCall.args),
    ...callIdOf(toolCall.id),
    ...(typeof description === 'string' && { description }),
  }
}

/** A tool's answer, or a `Command`, whose messages and update are read as they are. */
function resultOf(value: unknown): StepResult {
  if (!ToolMessage.isInstance(value)) return { result: value }
  return { outcome: value.status === 'error' ? 'error' : 'ok', result: value.content }
}

const refusal = ({ id, name }: ToolCallRequest['toolCall'], content: string): ToolMessage =>
  new ToolMessage({ status: 'error', content, name, tool_call_id: id ?? '' })
