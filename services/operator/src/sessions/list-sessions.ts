import { LEVELS, PlimsollError, type Level } from '@plimsoll/contracts'
import type { SessionStore } from '@plimsoll/runtime'
import { storedSessionOf } from './stored-session.js'
import { summaryOf, type SessionSummary } from './summary.js'

export interface SessionFilter {
  readonly tenant?: string | undefined
  readonly level?: Level | undefined
  readonly band?: number | undefined
}

export interface ListedSessions {
  /** Most at risk first. */
  readonly sessions: readonly SessionSummary[]
  /** How many there are, with those beyond the limit. */
  readonly count: number
  /** Records that cannot be read, were given up, or that a newer monitor has written. */
  readonly unreadable: number
}

/** Sessions asked for at a time. */
const PAGE = 500

/** The `limit` sessions that are most at risk of those that `filter` lets through; no more than a few pages are ever held. */
export async function listSessions(
  store: Pick<SessionStore, 'list' | 'load'>,
  filter: SessionFilter,
  limit: number,
  signal?: AbortSignal,
): Promise<ListedSessions> {
  // The store may give an id twice while its sessions change.
  let kept = new Map<string, SessionSummary>()
  let count = 0
  let unreadable = 0
  let cursor: string | undefined
  do {
    const page = await store.list(cursor, PAGE)
    const found = await loadAll(store, page.ids)
    unreadable += found.unreadable
    for (const session of found.sessions.filter(matches(filter))) {
      if (!kept.has(session.id)) count++
      kept.set(session.id, session)
    }
    if (kept.size > limit + PAGE) kept = new Map(mostAtRisk(kept, limit).map((each) => [each.id, each]))
    cursor = page.cursor
    if (signal?.aborted) break
  } while (cursor !== undefined)
  return { sessions: mostAtRisk(kept, limit), count, unreadable }
}

async function loadAll(store: Pick<SessionStore, 'load'>, ids: readonly string[]) {
  const records = await store.load(ids)
  const sessions: SessionSummary[] = []
  let unreadable = 0
  for (const [i, id] of ids.entries()) {
    const record = records[i]
    // Gone since it was listed.
    if (!record) continue
    try {
      sessions.push(summaryOf(storedSessionOf(id, record)))
    } catch (error) {
      if (!(error instanceof PlimsollError)) throw error
      unreadable++
    }
  }
  return { sessions, unreadable }
}

const matches =
  ({ tenant, level, band }: SessionFilter) =>
  (session: SessionSummary): boolean =>
    (tenant === undefined || session.tenant === tenant) &&
    (level === undefined || session.level === level) &&
    (band === undefined || session.band === band)

const mostAtRisk = (sessions: ReadonlyMap<string, SessionSummary>, limit: number): SessionSummary[] =>
  [...sessions.values()].sort(byRisk).slice(0, limit)

/** Those that run before those that have ended; then by level, band, what was blocked, and who was heard last. */
export function byRisk(a: SessionSummary, b: SessionSummary): number {
  return (
    Number(a.ended) - Number(b.ended) ||
    LEVELS.indexOf(b.level) - LEVELS.indexOf(a.level) ||
    b.band - a.band ||
    b.violations - a.violations ||
    b.blocked - a.blocked ||
    b.heardMs - a.heardMs ||
    (a.id < b.id ? -1 : 1)
  )
}
