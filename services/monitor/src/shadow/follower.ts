import {
  follow,
  NOTHING_FOLLOWED,
  type Followed,
  type LoggedEvent,
  type Outcome,
  type Rules,
  type SessionState,
} from '@plimsoll/engine'
import type { Folded } from '../fold.js'
import type { FollowedSessions } from './followed.js'

/** Follows what a candidate's specs remember over the events of one chunk of a session. */
export interface Follower {
  /** Whether what they remember is known: followed from the session's start, or the session's own. */
  isKnown(): boolean
  /** Undefined where it is the session's own, or nothing. */
  followed(): Followed | undefined
  take(before: SessionState | undefined, input: LoggedEvent, outcome: Outcome): void
  /** The chunk is through. */
  done(): void
}

export function createFollower(
  { id, heldAt, before, events, outcomes }: Folded,
  active: Rules,
  rules: Rules,
  sessions: FollowedSessions,
): Follower {
  const { policy, catalogue } = rules.versions
  const isOwn = policy === active.versions.policy && catalogue === active.versions.catalogue
  if (isOwn || rules.memory.cells === 0) return NOTHING_TO_FOLLOW
  const name = `${policy}/${catalogue}`
  let followed = before ? sessions.at(id, name, heldAt) : NOTHING_FOLLOWED
  return {
    isKnown: () => followed !== undefined,
    followed: () => followed,
    take: (before, input, outcome) => {
      try {
        followed &&= follow(followed, before, input, outcome, rules)
      } catch {
        followed = undefined
      }
    },
    done: () => {
      const last = events.at(-1)?.record.offset
      const state = outcomes.at(-1)?.state
      if (last === undefined) return
      if (!followed || !state || state.ended) sessions.drop(id)
      else sessions.keep(id, name, last, followed)
    },
  }
}

const NOTHING_TO_FOLLOW: Follower = {
  isKnown: () => true,
  followed: () => undefined,
  take: () => {},
  done: () => {},
}
