import { PlimsollError } from '@plimsoll/contracts'

/** `forgotten`: dropped as idle. */
export type Phase = 'open' | 'ended' | 'closed' | 'forgotten'

/** Throws unless the session is open. A forgotten session counts as ended: starting it again at safe would erase what it has done. */
export function assertOpen(phase: Phase, sessionId: string): void {
  if (phase === 'closed') throw closedError()
  const what = phase === 'ended' ? 'has ended' : 'was idle for too long and has been dropped'
  if (phase !== 'open') throw new PlimsollError('session_ended', `session \`${sessionId}\` ${what}`)
}

export const closedError = (): PlimsollError => new PlimsollError('closed', 'the client has been closed')

/** A session that has ended here, or was dropped as idle, never starts again. */
export const usedError = (id: string): PlimsollError =>
  new PlimsollError(
    'session_already_started',
    `session \`${id}\` was started before and has ended: use a new id`,
  )

export const fullError = (limit: string, max: number): PlimsollError =>
  new PlimsollError('queue_full', `\`${limit}\` (${max}) is reached`, { details: { limit, max } })

export interface OpenSessionsOptions {
  readonly sessionsMax: number
  /** How long a session may be unused before a new one may take its place, milliseconds. */
  readonly idleMs: number
  readonly now: () => number
}

/** The open sessions of one client by id, least recently used first. */
export function createOpenSessions<S extends { forget(): void }>(options: OpenSessionsOptions) {
  const { sessionsMax, idleMs, now } = options
  const entries = new Map<string, { readonly session: S; usedAt: number }>()
  /** The id at the end of `entries`. */
  let latest: string | undefined

  return {
    get: (id: string): S | undefined => entries.get(id)?.session,
    has: (id: string) => entries.has(id),
    values: (): S[] => [...entries.values()].map(({ session }) => session),
    /**
     * Adds the session that `open` returns. If the client is full, the least recently used session is forgotten if it is idle. Throws
     * `session_already_started`, and `queue_full` if it is not idle.
     */
    add: (id: string, open: () => S): S => {
      if (entries.has(id))
        throw new PlimsollError('session_already_started', `session \`${id}\` was started before`)
      const [oldest] = entries
      if (entries.size >= sessionsMax && oldest && now() - oldest[1].usedAt > idleMs) {
        entries.delete(oldest[0])
        oldest[1].session.forget()
      }
      if (entries.size >= sessionsMax) throw fullError('sessionsMax', sessionsMax)
      const session = open()
      entries.set(id, { session, usedAt: now() })
      latest = id
      return session
    },
    /** Notes that the session was used. */
    use: (id: string): void => {
      const entry = entries.get(id)
      if (!entry) return
      entry.usedAt = now()
      // Most steps are of the session of the step before.
      if (id === latest) return
      latest = id
      entries.delete(id)
      entries.set(id, entry)
    },
    delete: (id: string): void => void entries.delete(id),
    clear: (): void => entries.clear(),
  }
}
