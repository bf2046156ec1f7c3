import { VERDICTS, type Verdict } from '@plimsoll/contracts'

export type VerdictCounts = Record<Verdict, number>

export interface Counts {
  sessions: number
  steps: number
  verdicts: VerdictCounts
}

/** Sessions, steps and verdicts, over all and by some name such as the category. */
export interface Tally {
  session(name: string): void
  step(name: string, verdict: Verdict): void
  total(): Counts
  /** In the order of the names. */
  byName(): Record<string, Counts>
}

export function createTally(): Tally {
  const total = noCounts()
  const byName = new Map<string, Counts>()
  const of = (name: string): Counts => {
    const counts = byName.get(name) ?? noCounts()
    byName.set(name, counts)
    return counts
  }
  return {
    session: (name) => {
      total.sessions++
      of(name).sessions++
    },
    step: (name, verdict) => {
      for (const counts of [total, of(name)]) {
        counts.steps++
        counts.verdicts[verdict]++
      }
    },
    total: () => total,
    byName: () => Object.fromEntries([...byName].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

function noCounts(): Counts {
  const verdicts = Object.fromEntries(VERDICTS.map((verdict) => [verdict, 0])) as VerdictCounts
  return { sessions: 0, steps: 0, verdicts }
}
