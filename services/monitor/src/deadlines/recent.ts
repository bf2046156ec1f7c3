import type { DueSession } from '@plimsoll/runtime'

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
