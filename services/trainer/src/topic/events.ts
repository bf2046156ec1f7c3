import { eventSchema, INTERNAL_EVENTS, isSignedBy, type Event, type InternalEvent } from '@plimsoll/contracts'
import type { LogRecord } from '@plimsoll/runtime'

/** The event in a record, as a monitor would take it; undefined for a control change and for what a monitor sets aside. */
export function eventIn({ key, value }: LogRecord, signingKey: string | undefined): Event | undefined {
  const parsed = eventSchema.safeParse(parseJson(value))
  if (!parsed.success || parsed.data.sessionId !== key) return undefined
  const event = parsed.data
  if (isInternal(event) && (signingKey === undefined || !isSignedBy(event, signingKey))) return undefined
  return event
}

function isInternal(event: Event): event is InternalEvent {
  return INTERNAL_EVENTS.some((type) => type === event.type)
}

function parseJson(value: Buffer | null): unknown {
  try {
    return value && JSON.parse(value.toString('utf8'))
  } catch {
    return undefined
  }
}
