import { type Answer, explain } from '@plimsoll/client'
import { lineSchema } from '@plimsoll/contracts'
import { z } from 'zod'
import type { OutsideCall } from './outside-call.js'

/**
 * The interface by which Microsoft Copilot Studio asks an outside system before an agent calls a tool (api-version 2025-05-01). Members that are not
 * read here may come and go.
 */
const text = z.string().max(1_000_000)
const outputSchema = z.looseObject({ name: z.string().max(400).optional(), value: z.unknown() })
const pastSchema = z.looseObject({
  toolId: z.string().max(400).nullish(),
  toolName: z.string().max(400).nullish(),
  outputs: z.union([text, z.array(outputSchema).max(1_000), z.record(z.string(), z.unknown())]).nullish(),
  timestamp: z.string().max(100).nullish(),
})
const messageSchema = z.looseObject({ role: z.string().max(100).nullish(), content: z.unknown() })

export const copilotCallSchema = z.looseObject({
  plannerContext: z
    .looseObject({
      userMessage: text.nullish(),
      chatHistory: z.array(messageSchema).max(1_000).nullish(),
      previousToolOutputs: z.array(pastSchema).max(1_000).nullish(),
      previousToolsOutputs: z.array(pastSchema).max(1_000).nullish(),
    })
    .nullish(),
  toolDefinition: z.looseObject({ name: lineSchema(200), description: text.nullish() }),
  inputValues: z.record(z.string(), z.unknown()).nullish(),
  conversationMetadata: z.looseObject({
    conversationId: z.string().min(1).max(400),
    agent: z.looseObject({ id: z.string().max(400).nullish(), name: lineSchema(128).nullish() }).nullish(),
    user: z.looseObject({ id: lineSchema(128).nullish() }).nullish(),
  }),
})
type CopilotCall = z.infer<typeof copilotCallSchema>

/** The answer that the platform acts on: it knows no question, so a call that waits for a human is blocked until he has answered. */
export interface CopilotAnswer {
  readonly blockAction: boolean
  readonly reasonCode?: number
  readonly reason?: string
  readonly diagnostics?: string
}

/** 1: blocked; 2: waits for a human; 3: no verdict came. */
const REASON_CODES = { block: 1, confirm: 2, none: 3 } as const

/** The call in the form of all doors. The platform sends the chat newest first, and may leave the present message out of it. */
export function readCopilotCall(call: CopilotCall): OutsideCall {
  const { plannerContext, toolDefinition, inputValues, conversationMetadata } = call
  const { conversationId, agent, user } = conversationMetadata
  const said = (plannerContext?.chatHistory ?? [])
    .filter(({ role, content }) => /^(?:user|human)$/i.test(role ?? '') && typeof content === 'string')
    .map(({ content }) => String(content))
    .toReversed()
  const now = plannerContext?.userMessage ?? undefined
  if (now !== undefined && now !== '' && !said.includes(now)) said.push(now)
  const past = plannerContext?.previousToolsOutputs ?? plannerContext?.previousToolOutputs ?? []
  return {
    conversation: `copilot-studio\n${agent?.id ?? ''}\n${conversationId}`,
    agent: agent?.name ?? undefined,
    user: user?.id ?? undefined,
    said: said.filter((each) => each.trim() !== ''),
    ran: past
      .map(({ toolName, toolId, outputs, timestamp }) => ({
        tool: toolName ?? toolId ?? '',
        result: outputs ?? '',
        at: timestamp ?? undefined,
      }))
      .filter(({ tool }) => tool !== ''),
    step: {
      tool: toolDefinition.name,
      description: toolDefinition.description ?? undefined,
      arguments: inputValues ?? {},
    },
  }
}

/** What the platform gets: its reason goes to makers and logs, the diagnostics name the decision. */
export function copilotAnswer(answer: Answer): CopilotAnswer {
  if (answer.mayRun) return { blockAction: false }
  const { decision, verdict } = answer
  const reasonCode =
    decision === undefined ? REASON_CODES.none : REASON_CODES[verdict === 'confirm' ? 'confirm' : 'block']
  return {
    blockAction: true,
    reasonCode,
    reason: explain(answer),
    ...(decision && { diagnostics: JSON.stringify({ decision: decision.id, session: decision.sessionId }) }),
  }
}
