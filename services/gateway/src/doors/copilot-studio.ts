import { type Answer, explain } from '@plimsoll/client'
import { lineSchema } from '@plimsoll/contracts'
import { z } from 'zod'
import type { OutsideCall } from './outside-call.js'

/**
 * The interface by which Microsoft Copilot Studio asks an outside system before an agent calls a tool (api-version 2025-05-01). Members that are not
 * read here may come and go.
 */
const text = z.string().max(1_000_000)
/** What only names or shows something is read if it is a text, and cut; it refuses no call. */
const nameOf = (max: number) =>
  z
    .unknown()
    .optional()
    .transform((value) => {
      const line = typeof value === 'string' ? value.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim() : ''
      return line === '' ? undefined : line.slice(0, max)
    })
const pastSchema = z.looseObject({
  toolId: nameOf(200),
  toolName: nameOf(200),
  outputs: z.unknown().optional(),
  timestamp: nameOf(100),
})
const messageSchema = z.looseObject({ role: nameOf(100), content: z.unknown() })
const pastListSchema = z.array(pastSchema).max(2_000).nullish()

export const copilotCallSchema = z.looseObject({
  plannerContext: z
    .looseObject({
      userMessage: text.nullish(),
      chatHistory: z.array(messageSchema).max(2_000).nullish(),
      previousToolOutputs: pastListSchema,
      previousToolsOutputs: pastListSchema,
    })
    .nullish(),
  toolDefinition: z.looseObject({ name: lineSchema(200), description: text.nullish() }),
  inputValues: z.record(z.string(), z.unknown()).nullish(),
  conversationMetadata: z.looseObject({
    conversationId: z.string().min(1).max(400),
    agent: z.looseObject({ id: nameOf(400), name: nameOf(128) }).nullish(),
    user: z.looseObject({ id: nameOf(128) }).nullish(),
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
  // The interface is described by one name, and used by another.
  const past = [
    ...(plannerContext?.previousToolsOutputs ?? []),
    ...(plannerContext?.previousToolOutputs ?? []),
  ]
  return {
    conversation: JSON.stringify(['copilot-studio', agent?.id, conversationId]),
    agent: agent?.name,
    user: user?.id,
    said: said.filter((each) => each.trim() !== ''),
    ran: past
      .map(({ toolName, toolId, outputs, timestamp }) => ({
        tool: toolName ?? toolId ?? '',
        result: outputs ?? '',
        at: timestamp,
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

/** The answer where no verdict came in time, or the call could not be read: an error would let the platform run the call. */
export const copilotRefusal = (reason: string): CopilotAnswer => ({
  blockAction: true,
  reasonCode: REASON_CODES.none,
  reason,
})
