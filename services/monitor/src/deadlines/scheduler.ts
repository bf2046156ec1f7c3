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
 * What there is to say of a session that is due: nothing where its state knows nothing of it. Anyone who says it says it in the same words.
 *
 * @param rules those of the session; without them nobody knows what it owes
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
  const say = (due: Deadline['due'], dueAt: number): Deadline =>
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
  if (kind === 'idle') return [say({ kind, lastEventAt: state.time }, atMs)]
  if (kind === 'obligation')
    return owedObligations(state.memory, rules?.memory ?? NO_MEMORY_RULES).flatMap(
      ({ spec, since, overdueMs = Infinity, isReported: isTold }) =>
        !isTold && overdueMs <= now ? [say({ kind, spec: spec.id, since }, overdueMs)] : [],
    )
  return state.calls.flatMap((call) =>
    call.status === 'pending' && call.expiresAt <= now
      ? [say({ kind, decisionId: call.decisionId }, call.expiresAt)]
      : [],
  )
}

const PRODUCER = 'plimsoll-monitor'

/** Remembers what was published lately and not folded yet, so that it is not published each second again. */
export interface Recent {
  /** Of all that is due at `now`, what is to be published; what is not due any more is forgotten. */
  toPublish(due: readonly DueSession[], now: number): readonly DueSession[]
  published(entry: DueSession, now: number): void
  /** How many are remembered. */
  size(): number
}

/** The first time that something is published again is after this, then after twice as long, … */
const AGAIN_AFTER_MS = 10_000
const AGAIN_AFTER_MS_MAX = 300_000

interface Published {
  readonly waitMs: number
  readonly againAtMs: number
}

export function createRecent(): Recent {
  let known = new Map<string, Published>()
  return {
    toPublish: (due, now) => {
      const still = new Map<string, Published>()
      for (const entry of due) {
        const published = known.get(keyOf(entry))
        if (published) still.set(keyOf(entry), published)
      }
      known = still
      return due.filter((entry) => (known.get(keyOf(entry))?.againAtMs ?? 0) <= now)
    },
    published: (entry, now) => {
      const waitMs = Math.min(AGAIN_AFTER_MS_MAX, 2 * (known.get(keyOf(entry))?.waitMs ?? AGAIN_AFTER_MS / 2))
      known.set(keyOf(entry), { waitMs, againAtMs: now + waitMs })
    },
    size: () => known.size,
  }
}

const keyOf = ({ id, atMs }: DueSession): string => `${atMs} ${id}`

/** Publishes what has come due. Source: docs/decisions/20261121-time.md. */
export interface DeadlineScheduler {
  /** Looks at one partition of ours; at most `DUE_MAX` sessions of each kind at a time. */
  look(partition: number): Promise<void>
  /** Other owners may have had our partitions. */
  reset(): void
}

/** Between two steps of a look, where a test may end the process. */
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
/** So many that are published and not folded yet are looked past. */
const WAITING_MAX = 4096
const KINDS: readonly DueKind[] = ['approval', 'obligation', 'idle']

export function createDeadlineScheduler(options: DeadlineSchedulerOptions): DeadlineScheduler {
  const { log, store, rulesCache, topics, signingKey, clock, onPublished, onArrow } = options
  const recents = new Map<string, Recent>()

  const recentOf = (partition: number, kind: DueKind): Recent => {
    const name = `${partition} ${kind}`
    const recent = recents.get(name) ?? createRecent()
    recents.set(name, recent)
    return recent
  }

  const lookFor = async (partition: number, kind: DueKind): Promise<void> => {
    const recent = recentOf(partition, kind)
    const now = clock.now()
    // What was published and stays, such as the questions of sessions that cannot be judged, is not to hide what comes behind it.
    const wanted = DUE_MAX + Math.min(recent.size(), WAITING_MAX)
    const entries = recent.toPublish(await store.due(partition, kind, now, wanted), now).slice(0, DUE_MAX)
    if (entries.length === 0) return
    const stored = await store.load(entries.map(({ id }) => id))
    const gone: DueSession[] = []
    const records: OutgoingRecord[] = []
    for (const [i, entry] of entries.entries()) {
      const { state, revision } = readHeld(entry.id, stored[i], NO_OFFSET)
      if (revision === 0) gone.push(entry)
      // What is not at hand is not told of now: the entry stays.
      const rules = state && kind === 'obligation' ? rulesCache.rules(state.pins) : undefined
      if (state) records.push(...deadlinesOf(entry, kind, state, rules, now, signingKey).map(recordOf))
    }
    // A record that has gone by its age will be written by nobody, and its entry would stay for ever.
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
    look: async (partition) => {
      for (const kind of KINDS) await lookFor(partition, kind)
    },
    reset: () => recents.clear(),
  }
}

function recordOf(event: ReturnType<typeof deadlinesOf>[number]): OutgoingRecord {
  const { sessionId } = event
  const headers = { [TENANT_HEADER]: tenantOf(sessionId) }
  return { key: sessionId, value: JSON.stringify(event), headers }
}
