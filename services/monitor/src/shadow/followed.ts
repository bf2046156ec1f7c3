import type { Followed } from '@plimsoll/engine'

/** What a candidate's specs remember of sessions, in this process alone. */
export interface FollowedSessions {
  /** What was kept of session `id` under `rules`; undefined where that is not how far the session is, or of other rules. */
  at(id: string, rules: string, offset: bigint): Followed | undefined
  /** `offset`: of the last event that is in it. */
  keep(id: string, rules: string, offset: bigint, followed: Followed): void
  drop(id: string): void
  readonly size: number
}

export interface FollowedLimits {
  /** Sessions that are followed at a time; those heard of least lately are let go. */
  readonly sessionsMax: number
  /** Cells of all of them together; each is a number. */
  readonly cellsMax: number
  /** Told of each session that is let go for want of room. */
  readonly onLetGo: () => void
}

interface Kept {
  readonly rules: string
  readonly offset: bigint
  readonly followed: Followed
}

export function createFollowedSessions({ sessionsMax, cellsMax, onLetGo }: FollowedLimits): FollowedSessions {
  /** The least lately heard of first. */
  const kept = new Map<string, Kept>()
  let cells = 0
  const drop = (id: string) => {
    cells -= kept.get(id)?.followed.memory.length ?? 0
    kept.delete(id)
  }
  return {
    at: (id, rules, offset) => {
      const found = kept.get(id)
      return found && found.rules === rules && found.offset === offset ? found.followed : undefined
    },
    keep: (id, rules, offset, followed) => {
      drop(id)
      kept.set(id, { rules, offset, followed })
      cells += followed.memory.length
      for (const [oldest] of kept) {
        if (kept.size <= sessionsMax && cells <= cellsMax) break
        drop(oldest)
        onLetGo()
      }
    },
    drop,
    get size() {
      return kept.size
    },
  }
}
