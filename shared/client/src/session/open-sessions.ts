import { PlimsollError } from '@plimsoll/contracts'

export function closedError(): PlimsollError {
  return new PlimsollError('closed', 'the client has been closed')
}

export function endedError(sessionId: string): PlimsollError {
  return new PlimsollError('session_ended', `session \`${sessionId}\` has ended`)
}

/** To its holder a forgotten session is an ended one: to begin it again at safe would be to forgive it all it has done. */
export function forgottenError(sessionId: string): PlimsollError {
  return new PlimsollError(
    'session_ended',
    `session \`${sessionId}\` was idle for too long and has been dropped`,
  )
}

export function startedError(sessionId: string): PlimsollError {
  return new PlimsollError('session_already_started', `session \`${sessionId}\` was started before`)
}

export function fullError(limit: string, max: number): PlimsollError {
  return new PlimsollError('queue_full', `\`${limit}\` (${max}) is reached`, { details: { limit, max } })
}

/** What a session can be asked by anyone who keeps it. */
export interface Kept {
  /** Lets go of it for good: from now on its holder is refused. */
  forget(): void
}

/** The sessions of one client by their ids, in the order of their last use. */
export interface OpenSessions<S> {
  get(id: string): S | undefined
  has(id: string): boolean
  values(): Iterable<S>
  /** Sees that one more has room, for which an idle one is let go. Throws `queue_full` where none is idle. */
  makeRoom(): void
  add(id: string, session: S): void
  /** Notes that the session is in use. */
  use(id: string): void
  delete(id: string): void
  clear(): void
}

export interface OpenSessionsOptions {
  readonly sessionsMax: number
  /** How long a session may go unused before it has to make room, milliseconds. */
  readonly idleMs: number
  readonly now: () => number
}

interface Entry<S> {
  readonly session: S
  usedAt: number
}

export function createOpenSessions<S extends Kept>(options: OpenSessionsOptions): OpenSessions<S> {
  const { sessionsMax, idleMs, now } = options
  const entries = new Map<string, Entry<S>>()

  /** One start needs one place, and the first entry is the one unused for longest: no start looks at more than one. */
  function forgetIdle(): void {
    for (const [id, { session, usedAt }] of entries) {
      if (now() - usedAt <= idleMs) return
      entries.delete(id)
      session.forget()
      return
    }
  }

  return {
    get: (id) => entries.get(id)?.session,
    has: (id) => entries.has(id),
    values: () => [...entries.values()].map(({ session }) => session),
    makeRoom: () => {
      if (entries.size >= sessionsMax) forgetIdle()
      if (entries.size >= sessionsMax) throw fullError('sessionsMax', sessionsMax)
    },
    add: (id, session) => void entries.set(id, { session, usedAt: now() }),
    use: (id) => {
      const entry = entries.get(id)
      if (!entry) return
      entry.usedAt = now()
      entries.delete(id)
      entries.set(id, entry)
    },
    delete: (id) => void entries.delete(id),
    clear: () => entries.clear(),
  }
}
