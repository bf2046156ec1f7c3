import { digestSchema, idSchema, toolNameSchema, type Decision, type SentEvent } from '@plimsoll/contracts'
import { refusalOf } from '@plimsoll/engine'
import { z } from 'zod'

/** Of a proposal, what it takes to answer it. */
const answerableSchema = z.object({
  type: z.literal('tool.proposed'),
  id: idSchema,
  sessionId: idSchema,
  callId: idSchema,
  tool: toolNameSchema,
  argumentsDigest: digestSchema,
})

/** The blocking decision for whoever waits for an event that is not taken; undefined where nobody can. */
export function refusalFor(
  { event }: SentEvent,
  { code, message }: { readonly code: string; readonly message: string },
  timeMs: number,
): Decision | undefined {
  const { data } = answerableSchema.safeParse(event)
  if (!data) return undefined
  const { reasons: _, ...refusal } = refusalOf(data, { code: 'schema_invalid', message }, timeMs)
  return { ...refusal, reasons: [{ source: 'malformed', code, verdict: 'block', message }] }
}
