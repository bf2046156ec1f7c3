import {
  type DecisionRecord,
  type Knowledge,
  answerOf,
  createKnowledge,
  joinedHandover,
  readable,
} from '@plimsoll/client'
import {
  type Catalogue,
  type Decision,
  type Event,
  type Handover,
  type Inherits,
  decisionSchema,
} from '@plimsoll/contracts'
import { createEntryFinder } from '@plimsoll/labels'
import { WORST } from './knowledge.js'
import type { Lineage, Member } from './lineage.js'

/**
 * What a session of a stream is to know and a monitor may not have heard of yet: it goes with every proposal until one that it went with has
 * been decided on. For an agent writes its events itself, and can have any of them refused.
 */
export interface PendingInheritance {
  add(news: Inherits): void
  all(): Inherits | undefined
  /** A proposal is sent, with all that is owed. */
  sent(eventId: string): void
  decided(decision: Pick<Decision, 'eventId' | 'kind'>): void
}

/** Proposals without a decision that are told apart; once there were more of them, whatever is owed goes on being owed. */
const OPEN_MAX = 256

export function createPendingInheritance(first: Inherits | undefined): PendingInheritance {
  let owed = first
  let isLost = false
  /** By the ids of open proposals: what went with it. Nothing, where another of the same id may be what is decided on. */
  const open = new Map<string, Inherits | undefined>()

  return {
    add: (news) => void (owed = joinedInherits(owed, news)),
    all: () => owed,
    sent: (eventId) => {
      if (open.has(eventId)) open.set(eventId, undefined)
      else if (open.size < OPEN_MAX) open.set(eventId, owed)
      else isLost = true
    },
    decided: ({ eventId, kind }) => {
      if (kind === 'step' && !isLost && open.get(eventId) === owed) owed = undefined
      if (kind !== 'alert') open.delete(eventId)
    },
  }
}

/** `inherits`, if any, and what is known besides. */
export function joinedInherits(inherits: Inherits | undefined, known: Inherits): Inherits {
  const of = (reported: Inherits): Handover => ({ root: 'lineage', inherits: reported })
  return joinedHandover(inherits && of(inherits), of(known))?.inherits ?? known
}

/** The sessions of one connection of an agent, as members of its lineage. Rejects with `store_unavailable`. */
export interface StreamMembers {
  /** What is to be told with the event, for the session does not know it yet. */
  before(sessionId: string, type: string): Promise<Inherits | undefined>
  /** The event goes on as it is here. Resolves once the others know what it lets its session know, or could not be told yet. */
  taken(event: Event): Promise<void>
  /** Resolves once the others know what the decision lets its session know; until then its agent must not hear of it. */
  received(record: DecisionRecord): Promise<void>
}

/** Sessions that are followed at a time; of more, those unused for longest are begun again at their next event. */
const SESSIONS_MAX = 10_000

interface TrackedMember {
  readonly member: Member
  readonly knowledge: Knowledge
  readonly pending: PendingInheritance
}

/**
 * What a session of a stream has come to is followed by its events and decisions. Its fingerprints are not handed on: anyone who goes on with a session elsewhere
 * does not know them, so those that read something sensitive count as sessions of which not all is seen.
 */
export function createStreamMembers(lineage: Lineage, catalogue: Catalogue): StreamMembers {
  const entryOf = createEntryFinder(catalogue)
  const sessions = new Map<string, Promise<TrackedMember>>()

  async function follow(sessionId: string, isNew: boolean): Promise<TrackedMember> {
    const member = await lineage.begin(sessionId)
    const { earlier } = member
    // What one that goes on here has read is at most what its lineage is told of; where that is told nothing, anything.
    const known = earlier ? readable(earlier, undefined) : isNew ? undefined : WORST
    const knowledge = createKnowledge({
      root: sessionId,
      key: undefined,
      entryOf,
      inherits: known,
      signals: earlier?.signals,
      task: undefined,
    })
    await member.report(knowledge.handover())
    // Whether it is new its agent says, and nothing of what it sends has to be taken in by a monitor.
    return {
      member,
      knowledge,
      pending: createPendingInheritance(member.others && readable(member.others, undefined)),
    }
  }

  function followed(sessionId: string, isNew: boolean): Promise<TrackedMember> {
    const known = sessions.get(sessionId)
    if (known) return known
    if (sessions.size >= SESSIONS_MAX)
      for (const oldest of sessions.keys()) if (sessions.delete(oldest)) break
    const begun = follow(sessionId, isNew)
    sessions.set(sessionId, begun)
    begun.catch(() => sessions.delete(sessionId))
    return begun
  }

  async function before(sessionId: string, type: string): Promise<Inherits | undefined> {
    const isStart = type === 'session.started'
    const { member, knowledge, pending: owed } = await followed(sessionId, isStart)
    const own = knowledge.handover()
    await member.report(own)
    if (isStart) return member.earlier && readable(member.earlier, undefined)
    if (type !== 'step.proposed') return undefined
    const news = await member.unknownTo(own)
    if (news) owed.add(readable(news, undefined))
    return owed.all()
  }

  async function take(event: Event): Promise<void> {
    const found = await sessions.get(event.sessionId)
    if (!found) return
    if (event.type === 'step.proposed') {
      found.pending.sent(event.id)
      found.knowledge.asked(event)
    } else if (event.type === 'step.completed') found.knowledge.completed(event, event)
    else if (event.type === 'session.ended') sessions.delete(event.sessionId)
    else return
    await found.member.report(found.knowledge.handover())
  }

  async function heard({ key, value }: DecisionRecord): Promise<void> {
    const found = key === null ? undefined : await sessions.get(key)
    if (!found || !value) return
    const { data } = decisionSchema.safeParse(JSON.parse(value.toString('utf8')))
    if (!data) return
    found.pending.decided(data)
    found.knowledge.answered(answerOf(data))
    await found.member.report(found.knowledge.handover())
  }

  return {
    before,
    // What cannot be told now is told before the session's next step.
    taken: (event) => take(event).catch(() => {}),
    received: heard,
  }
}
