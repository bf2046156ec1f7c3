import { createHash } from 'node:crypto'

/** A session as far as sampling sees it. */
export interface Candidate {
  /** Its place in the order of all: 48 bits from its name, independent of the order of reading. */
  readonly priority: number
  readonly steps: number
  readonly unsafe: boolean
}

/** Which sessions are kept, and how many each of them represents. */
export interface SampleChoice {
  /** How many sessions a kept one represents; 0 if it is left out. */
  weightOf(session: Omit<Candidate, 'steps'>): number
  /** Undefined where all are kept. */
  readonly sampled: SampleCounts | undefined
}

export type SampleCounts = Readonly<
  Record<'violated' | 'safe', { readonly sessions: number; readonly kept: number }>
>

export interface Sampler {
  offer(session: Candidate): void
  choose(): SampleChoice
}

/** From its name alone, so that sampling does not depend on the order of the files. */
export function priorityOf(source: string, traceId: string): number {
  return createHash('sha256').update(`${source}\n${traceId}`).digest().readUIntBE(0, 6)
}

/**
 * Chooses sessions of at most `stepsMax` steps together: all where they fit; else violated ones up to half of the room, then safe ones,
 * each those of lowest priority. What it keeps in memory is in proportion to `stepsMax`, however many sessions are offered.
 */
export function createSampler(stepsMax: number): Sampler {
  const violated = createStratum(stepsMax)
  const safe = createStratum(stepsMax)
  return {
    offer: (session) => (session.unsafe ? violated : safe).offer(session),
    choose: () => {
      const isAll = violated.steps() + safe.steps() <= stepsMax
      const cuts = {
        violated: violated.cutAt(isAll ? Infinity : Math.max(stepsMax / 2, stepsMax - safe.steps())),
        safe: safe.cutAt(isAll ? Infinity : Math.max(stepsMax / 2, stepsMax - violated.steps())),
      }
      const reported = (stratum: Stratum, { kept }: Cut) => ({ sessions: stratum.sessions(), kept })
      return {
        weightOf: ({ priority, unsafe }) => {
          const cut = unsafe ? cuts.violated : cuts.safe
          return priority < cut.priority ? cut.weight : 0
        },
        sampled: isAll
          ? undefined
          : { violated: reported(violated, cuts.violated), safe: reported(safe, cuts.safe) },
      }
    },
  }
}

interface Cut {
  /** The lowest priority that is left out. */
  readonly priority: number
  readonly kept: number
  readonly weight: number
}

type Stratum = ReturnType<typeof createStratum>

/** Sessions of lowest priority, of at most `stepsMax` steps together and those that came since they were last sorted. */
function createStratum(stepsMax: number) {
  let kept: Omit<Candidate, 'unsafe'>[] = []
  let keptSteps = 0
  let steps = 0
  let sessions = 0
  /** From here on there was no room. */
  let bound = Infinity
  const prune = (room: number): void => {
    kept.sort((a, b) => a.priority - b.priority)
    keptSteps = 0
    const end = kept.findIndex((one) => (keptSteps += one.steps) > room)
    if (end < 0) return
    bound = Math.min(bound, kept[end]?.priority ?? bound)
    // Sessions of one name are kept or dropped together.
    kept = kept.slice(0, end).filter(({ priority }) => priority < bound)
    keptSteps = kept.reduce((sum, one) => sum + one.steps, 0)
  }
  return {
    offer: ({ priority, steps: own }: Candidate): void => {
      sessions++
      steps += own
      if (priority >= bound) return
      kept.push({ priority, steps: own })
      keptSteps += own
      if (keptSteps > 2 * stepsMax) prune(stepsMax)
    },
    cutAt: (room: number): Cut => {
      prune(Math.min(room, stepsMax))
      return { priority: bound, kept: kept.length, weight: sessions / Math.max(1, kept.length) }
    },
    steps: () => steps,
    sessions: () => sessions,
  }
}
