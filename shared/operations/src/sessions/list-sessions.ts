import {
  type Level,
  type Risk,
  type Versions,
  ESCALATIONS,
  EXPOSURES,
  LEVELS,
  PlimsollError,
  REVERSIBILITIES,
  TAINTS,
  tenantOf,
} from '@plimsoll/contracts'
import {
  type PendingCall,
  type SessionState,
  decodeState,
  escalationOf,
  exposureOf,
  reversibilityOf,
} from '@plimsoll/engine'
import type { SessionStore, StoredRecord } from '@plimsoll/runtime'

/** A session as its record has it. */
export interface StoredSession {
  readonly id: string
  /** Of the last event in it, in the session's partition. */
  readonly offset: bigint
  readonly state: SessionState
}

/** The session in `record`: the offset of the last event in it, and the state. Throws `record_invalid`, `record_too_new`. */
export function storedSessionOf(id: string, { body }: StoredRecord): StoredSession {
  const [, offset, text] = /^(\d{1,18}) (.*)$/s.exec(body) ?? []
  const decoded = decodeState(text ?? '')
  if (decoded.kind === 'too_new')
    throw new PlimsollError('record_too_new', `the record of session \`${id}\` has layout ${decoded.schema}`)
  if (decoded.kind === 'invalid' || offset === undefined)
    throw new PlimsollError(
      'record_invalid',
      `the record of session \`${id}\` cannot be read, or was given up: its events are answered \`session_state_lost\``,
    )
  return { id, offset: BigInt(offset), state: decoded.state }
}

/** The session `id`; undefined where it has no record. Throws as `storedSessionOf` does. */
export async function findSession(
  store: Pick<SessionStore, 'load'>,
  id: string,
): Promise<StoredSession | undefined> {
  const [record] = await store.load([id])
  return record && storedSessionOf(id, record)
}

/** One session in words. Times are milliseconds since 1970 on the log's clock. */
export interface SessionSummary {
  readonly id: string
  readonly tenant: string
  /** Empty where none was declared. */
  readonly agent: string
  /** Empty where none was declared. */
  readonly category: string
  readonly ended: boolean
  readonly level: Level
  /** 0–3. */
  readonly band: number
  readonly steps: number
  readonly blocked: number
  readonly violations: number
  readonly withoutVerdict: number
  /** Calls that wait for a human. */
  readonly waiting: number
  readonly lastEventMs: number
}

/** What is known of one session besides. */
export interface SessionDetails extends SessionSummary {
  readonly safety: Pick<Risk, 'exposure' | 'escalation' | 'reversibility' | 'taint'>
  /** Whether the line asks about each step that may send, since a step with sensitive data was blocked. */
  readonly held: boolean
  readonly pins: Versions
  /** Ids of the calls that may run and are not completed. */
  readonly open: readonly string[]
  readonly pending: readonly PendingApproval[]
  /** Approvals for the session. */
  readonly approvals: readonly SessionApproval[]
}

export interface SessionApproval {
  /** The id of the event that gave it. */
  readonly id: string
  readonly tool: string
  /** The reasons that it lifts. */
  readonly reasons: readonly string[]
  readonly expiresMs: number
}

/** A call that waits for a human. */
export interface PendingApproval {
  readonly callId: string
  readonly decisionId: string
  readonly tool: string
  readonly argumentsDigest: string
  /** Whether sensitive data was seen in the arguments. */
  readonly evidence: 'present' | 'absent' | 'unknown'
  /** The reasons that an approval would lift. */
  readonly reasons: readonly string[]
  readonly expiresMs: number
}

export function summaryOf({ id, state }: StoredSession): SessionSummary {
  return {
    id,
    tenant: tenantOf(id),
    agent: state.agent,
    category: state.category,
    ended: state.ended,
    level: LEVELS[state.level] ?? 'violated',
    band: state.band,
    steps: state.steps,
    blocked: state.blocked,
    violations: state.violations,
    withoutVerdict: state.withoutVerdict,
    waiting: pendingOf(state).length,
    lastEventMs: state.time,
  }
}

export function detailsOf(session: StoredSession): SessionDetails {
  const { state } = session
  return {
    ...summaryOf(session),
    safety: {
      exposure: EXPOSURES[exposureOf(state.safety)] ?? 'credentials',
      escalation: ESCALATIONS[escalationOf(state.safety)] ?? 'network',
      reversibility: REVERSIBILITIES[reversibilityOf(state.safety)] ?? 'irreversible',
      taint: TAINTS[state.taint] ?? 'instructions',
    },
    held: state.held,
    pins: state.pins,
    open: state.calls.flatMap(({ status, callId }) => (status === 'open' ? [callId] : [])),
    pending: pendingOf(state).map(
      ({ callId, decisionId, tool, argumentsDigest, lineEvidence, shown, expiresAt }) => ({
        callId,
        decisionId,
        tool,
        argumentsDigest,
        evidence: lineEvidence,
        reasons: shown,
        expiresMs: expiresAt,
      }),
    ),
    approvals: state.approvals.map(({ id, tool, lifts, expiresAt }) => ({
      id,
      tool,
      reasons: lifts,
      expiresMs: expiresAt,
    })),
  }
}

const pendingOf = ({ calls }: SessionState): readonly PendingCall[] =>
  calls.flatMap((call) => (call.status === 'pending' ? [call] : []))

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

/** Running sessions first; then by level, band, blocked steps and last event. */
export function byRisk(a: SessionSummary, b: SessionSummary): number {
  return (
    Number(a.ended) - Number(b.ended) ||
    LEVELS.indexOf(b.level) - LEVELS.indexOf(a.level) ||
    b.band - a.band ||
    b.violations - a.violations ||
    b.blocked - a.blocked ||
    b.lastEventMs - a.lastEventMs ||
    (a.id < b.id ? -1 : 1)
  )
}
