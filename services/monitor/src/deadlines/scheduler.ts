import { type EventOf, type Topics, EVENT_SCHEMA, TENANT_HEADER, sign, tenantOf } from '@plimsoll/contracts'
import {
  type Rules,
  type SessionState,
  NO_MEMORY_RULES,
  deadlineIdOf,
  owedObligations,
} from '@plimsoll/engine'
import type { RulesCache } from '@plimsoll/policy'
import type { Clock, DueKind, DueSession, EventLog, OutgoingRecord, SessionStore } from '@plimsoll/runtime'
import { NO_OFFSET, readHeld } from '../records/progress.js'

type Deadline = EventOf<'deadline.reached'>

/**
 * The deadline events of a session that is due; none if its state has no such deadline. Deterministic: every monitor publishes the same.
 *
 * @param rules the session's; without them its obligations are unknown
 * @param now milliseconds since 1970
 */
export function deadlinesOf(
  { id: sessionId, atMs }: DueSession,
  kind: DueKind,
  state: SessionState,
  rules: Rules | undefined,
  now: number,
  signingKey: string,
): Deadline[] {
  const deadline = (due: Deadline['due'], dueAt: number): Deadline =>
    sign<Deadline>(
      {
        schema: EVENT_SCHEMA,
        id: deadlineIdOf(due),
        sessionId,
        producer: PRODUCER,
        seq: 0,
        time: dueAt,
        type: 'deadline.reached',
        due,
        dueAt,
      },
      signingKey,
    )
  if (state.ended) return []
  if (kind === 'idle') return [deadline({ kind, lastEventAt: state.time }, atMs)]
  if (kind === 'obligation')
    return owedObligations(state.memory, rules?.memory ?? NO_MEMORY_RULES).flatMap(
      ({ spec, since, overdueMs = Infinity, isReported }) =>
        !isReported && overdueMs <= now ? [deadline({ kind, spec: spec.id, since }, overdueMs)] : [],
    )
  return state.calls.flatMap((call) =>
    call.status === 'pending' && call.expiresAt <= now
      ? [deadline({ kind, decisionId: call.decisionId }, call.expiresAt)]
      : [],
  )
}

const PRODUCER = 'plimsoll-monitor'

/** Delay before a deadline is published again; it doubles each time. */
const AGAIN_AFTER_MS = 10_000
const AGAIN_AFTER_MS_MAX = 300_000

interface Published {
  readonly waitMs: number
  readonly againAtMs: number
}

/** Remembers deadlines published but not folded yet, so that they are not published again every second. */
export function createRecent() {
  let known = new Map<string, Published>()
  return {
    /** Of the entries due at `now`, those to publish; forgets entries that are no longer due. */
    toPublish: (due: readonly DueSession[], now: number): readonly DueSession[] => {
      const still = new Map<string, Published>()
      for (const entry of due) {
        const published = known.get(keyOf(entry))
        if (published) still.set(keyOf(entry), published)
      }
      known = still
      return due.filter((entry) => (known.get(keyOf(entry))?.againAtMs ?? 0) <= now)
    },
    published: (entry: DueSession, now: number): void => {
      const waitMs = Math.min(AGAIN_AFTER_MS_MAX, 2 * (known.get(keyOf(entry))?.waitMs ?? AGAIN_AFTER_MS / 2))
      known.set(keyOf(entry), { waitMs, againAtMs: now + waitMs })
    },
    size: (): number => known.size,
  }
}

const keyOf = ({ id, atMs }: DueSession): string => `${atMs} ${id}`

/** Points of a scan at which tests end the process. */
export const DEADLINE_ARROWS = ['due', 'announced'] as const
export type DeadlineArrow = (typeof DEADLINE_ARROWS)[number]

export interface DeadlineSchedulerOptions {
  readonly log: EventLog
  readonly store: SessionStore
  readonly rulesCache: Pick<RulesCache, 'rules'>
  readonly topics: Topics
  readonly signingKey: string
  readonly clock: Clock
  readonly onPublished: (kind: DueKind, count: number) => void
  readonly onArrow: (arrow: DeadlineArrow) => void
}

const DUE_MAX = 256
/** Most published entries that are skipped to find others. */
const WAITING_MAX = 4096
const KINDS: readonly DueKind[] = ['approval', 'obligation', 'idle']

export type DeadlineScheduler = ReturnType<typeof createDeadlineScheduler>

/** Publishes deadlines that are due. Source: docs/decisions/20261121-time.md. */
export function createDeadlineScheduler(options: DeadlineSchedulerOptions) {
  const { log, store, rulesCache, topics, signingKey, clock, onPublished, onArrow } = options
  const recents = new Map<string, ReturnType<typeof createRecent>>()

  const recentOf = (partition: number, kind: DueKind) => {
    const name = `${partition} ${kind}`
    const recent = recents.get(name) ?? createRecent()
    recents.set(name, recent)
    return recent
  }

  const lookFor = async (partition: number, kind: DueKind): Promise<void> => {
    const recent = recentOf(partition, kind)
    const now = clock.now()
    // Published entries that stay, such as those of sessions that cannot be judged, must not hide later ones.
    const wanted = DUE_MAX + Math.min(recent.size(), WAITING_MAX)
    const entries = recent.toPublish(await store.due(partition, kind, now, wanted), now).slice(0, DUE_MAX)
    if (entries.length === 0) return
    const stored = await store.load(entries.map(({ id }) => id))
    const gone: DueSession[] = []
    const records: OutgoingRecord[] = []
    for (const [i, entry] of entries.entries()) {
      const { state, revision } = readHeld(entry.id, stored[i], NO_OFFSET)
      if (revision === 0) gone.push(entry)
      // Without its rules nothing is published now, and the entry stays.
      const rules = state && kind === 'obligation' ? rulesCache.rules(state.pins) : undefined
      if (state) records.push(...deadlinesOf(entry, kind, state, rules, now, signingKey).map(recordOf))
    }
    // No write will remove the entry of an expired record.
    if (gone.length > 0) await store.dropDue(partition, kind, gone)
    if (records.length > 0) {
      onArrow('due')
      await log.produce(topics.events, records)
      onArrow('announced')
      onPublished(kind, records.length)
    }
    for (const entry of entries) recent.published(entry, now)
  }

  return {
    /** Scans one partition: at most `DUE_MAX` sessions of each kind. */
    look: async (partition: number): Promise<void> => {
      for (const kind of KINDS) await lookFor(partition, kind)
    },
    /** Other owners may have had our partitions. */
    reset: (): void => recents.clear(),
  }
}

function recordOf(event: ReturnType<typeof deadlinesOf>[number]): OutgoingRecord {
  const { sessionId } = event
  const headers = { [TENANT_HEADER]: tenantOf(sessionId) }
  return { key: sessionId, value: JSON.stringify(event), headers }
}
