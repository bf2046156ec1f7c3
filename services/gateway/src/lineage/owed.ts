import { joinedHandover } from '@plimsoll/client'
import type { Decision, Handover, Inherits } from '@plimsoll/contracts'

/**
 * What a session of a stream is to know and a monitor may not have heard of yet: it goes with every proposal until one that it went with has
 * been decided on. For an agent writes its events itself, and can have any of them refused.
 */
export interface Owed {
  add(news: Inherits): void
  all(): Inherits | undefined
  /** A proposal is sent, with all that is owed. */
  sent(eventId: string): void
  decided(decision: Pick<Decision, 'eventId' | 'kind'>): void
}

/** Proposals without a decision that are told apart; once there were more of them, whatever is owed goes on being owed. */
const OPEN_MAX = 256

export function createOwed(first: Inherits | undefined): Owed {
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
  const of = (told: Inherits): Handover => ({ root: 'lineage', inherits: told })
  return joinedHandover(inherits && of(inherits), of(known))?.inherits ?? known
}
