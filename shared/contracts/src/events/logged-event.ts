import { hash } from 'node:crypto'
import type { Event } from './events.js'

/** An event with the time at which the log took it, milliseconds since 1970, and what tells it from every other event. */
export interface LoggedEvent {
  readonly event: Event
  readonly timeMs: number
  /** As `hashOfEvent` gives it. The engine imports no cryptography, so its caller supplies it. */
  readonly hash: string
}

/** Characters of `hashOfEvent`: 128 bits, six to a character. */
export const EVENT_HASH_LENGTH = 22

/**
 * Tells an event from others: the first 128 bits of the SHA-256 of its id, its type, what it is about, and for a proposed step the tool and
 * the digest of the arguments, in base64url. Only the same event again has the same hash: an id that is used again for something else
 * is no retry, and nobody finds another step that gets the verdict of the first.
 */
export const hashOfEvent = (event: Event): string =>
  hash('sha256', textOf(event), 'base64url').slice(0, EVENT_HASH_LENGTH)

/** Each part with its length before it, so that no two lists of parts read alike. */
function textOf(event: Event): string {
  let text = `${event.id.length}:${event.id}${event.type}`
  for (const part of subjectOf(event)) text += `,${part.length}:${part}`
  return text
}

function subjectOf(event: Event): readonly string[] {
  if (event.type === 'step.proposed') return [event.callId, event.tool, event.argumentsDigest]
  if (event.type === 'step.completed') return [event.callId]
  if (event.type === 'approval.resolved' || event.type === 'labels.refined') return [event.decisionId]
  return []
}

export const logged = (event: Event, timeMs: number): LoggedEvent => ({
  event,
  timeMs,
  hash: hashOfEvent(event),
})
