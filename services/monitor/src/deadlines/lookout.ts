import { TENANT_HEADER, tenantOf, type Topics } from '@plimsoll/contracts'
import type { RuleShelf } from '@plimsoll/policy'
import type { Clock, DueKind, DueSession, EventLog, OutgoingRecord, SessionStore } from '@plimsoll/runtime'
import { readHeld } from '../held.js'
import { NO_OFFSET } from '../progress.js'
import { deadlinesOf } from './events.js'
import { createRecent, type Recent } from './recent.js'

/** Publishes what has come due. Source: docs/decisions/20261122-deadlines.md. */
export interface Lookout {
  /** Looks at one partition of ours; at most `DUE_MAX` sessions of each kind at a time. */
  look(partition: number): Promise<void>
  /** Other owners may have had our partitions. */
  reset(): void
}

/** Between two steps of a look, where a test may end the process. */
export const DEADLINE_ARROWS = ['due', 'announced'] as const
export type DeadlineArrow = (typeof DEADLINE_ARROWS)[number]

export interface LookoutOptions {
  readonly log: EventLog
  readonly store: SessionStore
  readonly shelf: Pick<RuleShelf, 'rules'>
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

export function createLookout(options: LookoutOptions): Lookout {
  const { log, store, shelf, topics, signingKey, clock, onPublished, onArrow } = options
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
      const rules = state && kind === 'obligation' ? shelf.rules(state.pins) : undefined
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
