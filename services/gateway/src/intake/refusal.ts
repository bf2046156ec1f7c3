import {
  digestSchema,
  ERRORS,
  idSchema,
  toolNameSchema,
  type Decision,
  type SentEvent,
} from '@plimsoll/contracts'
import { refusalOf } from '@plimsoll/engine'
import { z } from 'zod'

/** Of a proposal, what it takes to answer it. */
const answerableSchema = z.object({
  type: z.literal('step.proposed'),
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
  const refusal = refusalOf(data, { code: 'schema_invalid', message }, timeMs)
  const reasons: Decision['reasons'] = [{ source: 'malformed', code, verdict: 'block', message }]
  // The engine knows the codes of events alone; a gateway refuses for others too.
  const alternative = HELP.get(code) ?? refusal.alternative
  return { ...refusal, reasons, ...(alternative !== undefined && { alternative }) }
}

const HELP: ReadonlyMap<string, string> = new Map(
  Object.entries(ERRORS).map(([code, { help }]) => [code, help]),
)
