import { hash } from 'node:crypto'
import type { Event } from './events.js'

/** An event with its append time in the log, milliseconds since 1970, and its identifying hash. */
export interface LoggedEvent {
  readonly event: Event
  readonly timeMs: number
  /** From `hashOfEvent`; the caller supplies it, because the engine imports no cryptography. */
  readonly hash: string
}

/** Characters of `hashOfEvent`: 128 bits, six to a character. */
export const EVENT_HASH_LENGTH = 22

/**
 * Identifies an event: the first 128 bits of the SHA-256 of its id, type and subject, and for a proposed step the tool and the
 * arguments' digest, in base64url. Only a repeat of the same event has the same hash: an id reused for something else is no retry, and
 * no other step gets the verdict of the first.
 */
export const hashOfEvent = (event: Event): string =>
  hash('sha256', textOf(event), 'base64url').slice(0, EVENT_HASH_LENGTH)

/** Each part is prefixed with its length, so that different lists of parts give different texts. */
function textOf(event: Event): string {
  let text = `${event.id.length}:${event.id}${event.type}`
  for (const part of subjectOf(event)) text += `,${part.length}:${part}`
  return text
}

function subjectOf(event: Event): readonly string[] {
  if (event.type === 'step.proposed') return [event.callId, event.tool, event.argumentsDigest]
  if (event.type === 'step.completed') return [event.callId]
  if (event.type === 'approval.revoked') return [event.approval]
  if (event.type === 'approval.resolved' || event.type === 'labels.refined') return [event.decisionId]
  if (event.type === 'decision.appealed') return [event.decisionId]
  return []
}

export const logged = (event: Event, timeMs: number): LoggedEvent => ({
  event,
  timeMs,
  hash: hashOfEvent(event),
})
