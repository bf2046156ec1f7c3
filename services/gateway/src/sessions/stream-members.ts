import type { DecisionRecord } from '@plimsoll/client/services'
import {
  WORST,
  answerOf,
  createHandoverTracker,
  inheritedFrom,
  joinInherits,
} from '@plimsoll/client/services'
import {
  type Catalogue,
  type Decision,
  type Event,
  type Inherits,
  decisionSchema,
  parseJson,
} from '@plimsoll/contracts'
import { createEntryFinder } from '@plimsoll/labels'
import { LRUCache } from 'lru-cache'
import type { Lineage } from './lineage.js'

/** Open proposals that are distinguished; with more, inherited state stays pending. */
const OPEN_MAX = 256

/**
 * Inherited state that a monitor may not have received: it is added to every proposal until a proposal that carried it has been decided. An agent
 * writes its own events and can make any of them be refused.
 */
export function createPendingInheritance(first: Inherits | undefined) {
  let pending = first
  let isLost = false
  /** By the ids of open proposals, the state they carried; undefined if another proposal has the same id. */
  const open = new Map<string, Inherits | undefined>()

  return {
    add: (news: Inherits): void => void (pending = joinInherits(pending, news)),
    all: () => pending,
    /** Notes that a proposal is sent with all that is pending. */
    sent: (eventId: string): void => {
      if (open.has(eventId)) open.set(eventId, undefined)
      else if (open.size < OPEN_MAX) open.set(eventId, pending)
      else isLost = true
    },
    decided: ({ eventId, kind }: Pick<Decision, 'eventId' | 'kind'>): void => {
      if (kind === 'step' && !isLost && open.get(eventId) === pending) pending = undefined
      if (kind !== 'alert') open.delete(eventId)
    },
  }
}

/** Sessions of one connection that are followed. Evicted ones begin again at their next event. */
const SESSIONS_MAX = 10_000

type Tracked = Awaited<ReturnType<typeof track>>

export type StreamMembers = ReturnType<typeof createStreamMembers>

/**
 * The sessions of one agent's connection as members of its lineage, followed by their events and decisions. Their fingerprints are not
 * shared, because another gateway that continues a session does not have them; sensitive ones count as unseen. Rejects with
 * `store_unavailable`.
 */
export function createStreamMembers(lineage: Lineage, catalogue: Catalogue) {
  const entryOf = createEntryFinder(catalogue)
  const sessions = new LRUCache<string, Promise<Tracked>>({ max: SESSIONS_MAX })

  function tracked(sessionId: string, isNew: boolean): Promise<Tracked> {
    const known = sessions.get(sessionId)
    if (known) return known
    const begun = track(sessionId, isNew, lineage, entryOf)
    sessions.set(sessionId, begun)
    begun.catch(() => sessions.delete(sessionId))
    return begun
  }

  async function take(event: Event): Promise<void> {
    const found = await sessions.get(event.sessionId)
    if (!found) return
    const { member, tracker, pending } = found
    if (event.type === 'step.proposed') {
      pending.sent(event.id)
      tracker.asked(event)
    } else if (event.type === 'step.completed') tracker.completed(event, event)
    else if (event.type === 'session.ended') sessions.delete(event.sessionId)
    else return
    await member.report(tracker.handover())
  }

  return {
    /** The state to add to the event, because its session does not know it yet. */
    before: async (sessionId: string, type: string): Promise<Inherits | undefined> => {
      const isStart = type === 'session.started'
      const { member, tracker, pending } = await tracked(sessionId, isStart)
      const own = tracker.handover()
      await member.report(own)
      if (isStart) return member.earlier && inheritedFrom(member.earlier, undefined)
      if (type !== 'step.proposed') return undefined
      const news = await member.unknownTo(own)
      if (news) pending.add(inheritedFrom(news, undefined))
      return pending.all()
    },
    /** Takes the event as it is published. If its report to the others fails, it is repeated before the session's next step. */
    taken: (event: Event): Promise<void> => take(event).catch(() => {}),
    /** Takes a decision. Its agent must not get it before the others know what it lets the session know. */
    received: async ({ key, value }: DecisionRecord): Promise<void> => {
      const found = key === null ? undefined : await sessions.get(key)
      if (!found || !value) return
      const { data } = decisionSchema.safeParse(parseJson(value))
      if (!data) return
      found.pending.decided(data)
      found.tracker.answered(answerOf(data))
      await found.member.report(found.tracker.handover())
    },
  }
}

async function track(
  sessionId: string,
  isNew: boolean,
  lineage: Lineage,
  entryOf: ReturnType<typeof createEntryFinder>,
) {
  const member = await lineage.begin(sessionId)
  const { earlier, others } = member
  const tracker = createHandoverTracker({
    root: sessionId,
    key: undefined,
    entryOf,
    // A continued session has read at most what its lineage knows; if that is nothing, assume the worst.
    inherits: earlier ? inheritedFrom(earlier, undefined) : isNew ? undefined : WORST,
    signals: earlier?.signals,
    task: undefined,
  })
  await member.report(tracker.handover())
  // Pending from the first event on: only the agent says that a session is new, and its start may never reach a monitor.
  return { member, tracker, pending: createPendingInheritance(others && inheritedFrom(others, undefined)) }
}
