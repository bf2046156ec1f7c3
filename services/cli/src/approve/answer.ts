import { DEAD_LETTER_HEADERS, decisionSchema, type Decision } from '@plimsoll/contracts'
import type { LogRecord } from '@plimsoll/runtime'

/** What the monitor made of an approval: a decision, or a dead letter. */
export type MonitorAnswer =
  | { readonly kind: 'decision'; readonly decision: Decision }
  | { readonly kind: 'dead_letter'; readonly code: string; readonly message: string }

/** The decision in `record`, of the decisions topic, where it answers the approval `eventId`. */
export function decisionOn(eventId: string, { value }: LogRecord): MonitorAnswer | undefined {
  const { data: decision } = decisionSchema.safeParse(parseJson(value))
  return decision?.kind === 'approval' && decision.eventId === eventId
    ? { kind: 'decision', decision }
    : undefined
}

/** What `record`, of the dead letters topic, tells where it is the approval `eventId`. */
export function deadLetterOn(eventId: string, { value, headers }: LogRecord): MonitorAnswer | undefined {
  const event = parseJson(value)
  if (typeof event !== 'object' || event === null || !('id' in event) || event.id !== eventId)
    return undefined
  const { [DEAD_LETTER_HEADERS.code]: code = '', [DEAD_LETTER_HEADERS.message]: message = '' } = headers
  return { kind: 'dead_letter', code, message }
}

/** Anyone may have written there: what is no JSON is no answer. */
function parseJson(value: Buffer | null): unknown {
  try {
    return JSON.parse(String(value))
  } catch {
    return undefined
  }
}
