import type { Event } from '@plimsoll/contracts'

const ENDS = /"type":"session\.ended"/
const STARTS = /"type":"session\.started"/

/** Sessions whose decisions are to come; beyond it the first is forgotten. */
const SESSIONS_MAX = 20_000

/** The sessions that events were sent of: which of them are to be resumed on another connection, and what the root of each is. */
export interface SentSessions {
  note(sessionId: string, value: string): void
  /** Undefined where it is the session itself. */
  rootOf(sessionId: string): string | undefined
  open(): string[]
}

export function createSentSessions(): SentSessions {
  const roots = new Map<string, string | undefined>()
  return {
    // Members of an event have no quotes of their own in JSON; one of its arguments may look like one, and is then read closely.
    note: (sessionId, value) => {
      if (STARTS.test(value)) add(roots, sessionId, rootIn(value))
      else if (ENDS.test(value) && endsSession(value)) roots.delete(sessionId)
      else if (!roots.has(sessionId)) add(roots, sessionId, undefined)
    },
    rootOf: (sessionId) => roots.get(sessionId),
    open: () => [...roots.keys()],
  }
}

function add(roots: Map<string, string | undefined>, sessionId: string, root: string | undefined): void {
  if (roots.size >= SESSIONS_MAX) for (const oldest of roots.keys()) if (roots.delete(oldest)) break
  roots.set(sessionId, root ?? roots.get(sessionId))
}

function rootIn(value: string): string | undefined {
  const event = JSON.parse(value) as Event
  return event.type === 'session.started' ? event.root : undefined
}

const endsSession = (value: string): boolean => (JSON.parse(value) as Event).type === 'session.ended'
