import { type Verdict, VERDICTS } from '@plimsoll/contracts'
import { textTable } from './text.js'

/** The counts of each name and of all together, as a table. */
export function countsTable(
  heading: string,
  byName: Readonly<Record<string, Counts>>,
  total: Counts,
): string {
  const row = (name: string, { sessions, steps, verdicts }: Counts) => [
    name,
    sessions,
    steps,
    ...VERDICTS.map((verdict) => verdicts[verdict]),
  ]
  return textTable([
    [heading, 'sessions', 'steps', ...VERDICTS],
    ...Object.entries(byName).map(([name, counts]) => row(name, counts)),
    row('all', total),
  ])
}

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

/** Values kept to take quantiles of; beyond it the oldest go. */
const SAMPLES_MAX = 262_144

/** The latest values of something measured. */
export interface Samples {
  add(value: number): void
  /** The value that a `share` of the samples (0…1) do not exceed; 0 while there are none. */
  quantile(share: number): number
}

export function createSamples(samplesMax: number = SAMPLES_MAX): Samples {
  const values: number[] = []
  let next = 0
  return {
    add: (value) => {
      values[next] = value
      next = (next + 1) % samplesMax
    },
    quantile: (share) => {
      const ascending = Float64Array.from(values).sort()
      return ascending[Math.max(0, Math.ceil(share * ascending.length) - 1)] ?? 0
    },
  }
}

/** `p50` and `p99` of `samples`, with `digits` after the point. */
export function p50AndP99(samples: Samples, digits = 1): { readonly p50: number; readonly p99: number } {
  const rounded = (share: number) => Number(samples.quantile(share).toFixed(digits))
  return { p50: rounded(0.5), p99: rounded(0.99) }
}
