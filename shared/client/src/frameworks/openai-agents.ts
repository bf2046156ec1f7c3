import type {
  RunContext,
  ToolInputGuardrailData,
  ToolInputGuardrailDefinition,
  ToolOutputGuardrailDefinition,
} from '@openai/agents'
import { type ProposedStep, explain } from '../session.js'
import {
  type AdapterOptions,
  type SessionSource,
  argumentsOf,
  callIdOf,
  createOpenSteps,
  sessionOf,
} from './mastra.js'

export type { AdapterOptions, SessionSource } from './mastra.js'

export interface GuardrailOptions extends AdapterOptions {
  /** What the model is told of a tool that threw; the framework's own words where it is left out. */
  readonly describeError?: (error: unknown) => string
}

/** To be spread into `tool({ … })`; an MCP server takes the two lists as `toolInputGuardrails` and `toolOutputGuardrails`. */
export interface ToolGuardrails<Context = unknown> {
  readonly inputGuardrails: ToolInputGuardrailDefinition<Context>[]
  readonly outputGuardrails: ToolOutputGuardrailDefinition<Context>[]
  /** Without it a tool that threw is told as one that gave the text of its error. */
  readonly errorFunction: (context: RunContext<Context>, error: unknown, details?: CallDetails) => string
}

interface CallDetails {
  readonly toolCall?: ToolCall
}

type ToolCall = ToolInputGuardrailData['toolCall']

/**
 * Guardrails that ask before a tool runs and tell what came of it. A call that may not run is answered to the model by why, and what would do instead.
 *
 * @example
 * const session = await client.startSession({ category: 'research_comms', task })
 * const guardrails = createToolGuardrails(session)
 * const sendEmail = tool({ name: 'send_email', description, parameters, execute, ...guardrails })
 */
export function createToolGuardrails<Context = unknown>(
  source: SessionSource<ToolInputGuardrailData<Context>>,
  { describeError = reportNothing, ...terms }: GuardrailOptions = {},
): ToolGuardrails<Context> {
  const open = createOpenSteps<ToolCall>(new WeakMap())

  const before: ToolInputGuardrailDefinition<Context> = {
    type: 'tool_input',
    name: 'plimsoll',
    run: async (data) => {
      const { toolCall } = data
      // Runs that check before an approval check once more after it.
      if (open.has(toolCall)) return { behavior: { type: 'allow' } }
      const session = await sessionOf(source, data)
      const answer = await session.ask(stepOf(toolCall), terms)
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

/** As the framework does where a tool says nothing else: errors may hold what a model should not see. */
const reportNothing = () => 'An error occurred while running the tool. Please try again.'

function stepOf({ name, callId, arguments: text }: ToolCall): ProposedStep {
  return { tool: name, arguments: argumentsOf(parsed(text)), ...callIdOf(callId) }
}

/** What a model wrote as arguments; what is no JSON is text, and the tool will refuse it. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text || '{}')
  } catch {
    return text
  }
}
