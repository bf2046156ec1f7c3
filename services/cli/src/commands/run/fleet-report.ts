import type { PlimsollClient, StepWithoutVerdict, WithoutVerdictCause } from '@plimsoll/client'
import type { Ending, FleetDecision, Performance } from '@plimsoll/fleet'
import { type Counts, createSamples, createTally } from '../../format/tally.js'

/** A step proposed so long after it was due is a late start, milliseconds: less is the timer's own coarseness. */
export const LATE_MS = 20

/** Ended sessions, by outcome and harm. */
export interface Endings {
  completed: number
  failed: number
  cancelled: number
  /** A step that ran brought the cascade's level to `violated`. */
  violated: number
  /** Something sensitive did leave, in the simulated world. */
  leaked: number
}

export interface FleetFigures extends Counts, Endings {
  readonly byCategory: Readonly<Record<string, Counts & Endings>>
  /** Results of approval requests that a simulated human answered; `open`: none yet, or another request. */
  readonly reviews: Readonly<Record<'run' | 'stopped' | 'open', number>>
  /** From when a step was due to its decision, milliseconds. Steps that no decision came on are not in it, but in `unanswered`. */
  readonly latencyMs: Readonly<Record<'p50' | 'p90' | 'p99' | 'max', number>>
  /** Steps proposed later than LATE_MS after they were due, and by how much the latest was. */
  readonly late: { readonly steps: number; readonly maxMs: number }
  /** Steps that the fail mode answered, by why. */
  readonly withoutVerdict: Readonly<Record<WithoutVerdictCause, number>>
  /** Times that the client had no room for an event, and that it sent events again. */
  readonly full: number
  readonly retried: number
  readonly seconds: number
  readonly stepsPerSecond: number
}

/** Counts what happens in a running fleet. */
export interface FleetReport {
  session(performance: Performance): void
  decision(decision: FleetDecision): void
  ended(performance: Performance, ending: Ending): void
  withoutVerdict(step: StepWithoutVerdict): void
  full(): void
  /** Sessions that have ended. */
  endedCount(): number
  /** The progress in one line. */
  note(): string
  figures(client: PlimsollClient): FleetFigures
}

export function createFleetReport(now: () => number = () => performance.now()): FleetReport {
  let begun: number | undefined
  const tally = createTally()
  const endings = createEndings()
  const latency = createSamples()
  // For the progress line: sorting all samples twice a second would delay steps.
  const lately = createSamples(2_000)
  const late = { steps: 0, maxMs: 0 }
  const withoutVerdict = { timeout: 0, queue_full: 0, closed: 0 }
  const reviews = { run: 0, stopped: 0, open: 0 }
  let full = 0

  const seconds = () => (begun === undefined ? 0 : (now() - begun) / 1000)
  const perSecond = () => Number((tally.total().steps / Math.max(seconds(), 1e-3)).toFixed(1))

  function proposed({
    performance: { scenario },
    answer,
    dueAt,
    proposedAt,
    answeredAt,
  }: FleetDecision): void {
    tally.step(scenario.category, answer.verdict)
    if (answer.by === 'decision') for (const samples of [latency, lately]) samples.add(answeredAt - dueAt)
    if (proposedAt - dueAt <= LATE_MS) return
    late.steps++
    late.maxMs = Math.max(late.maxMs, Math.round(proposedAt - dueAt))
  }

  return {
    session: ({ scenario }) => {
      begun ??= now()
      tally.session(scenario.category)
    },
    decision: (reported) => {
      if (reported.answers === 'proposal') proposed(reported)
      else reviews[reviewOutcome(reported.answer)]++
    },
    ended: ({ scenario }, ending) => endings.add(scenario.category, ending),
    withoutVerdict: ({ cause }) => void withoutVerdict[cause]++,
    full: () => void full++,
    endedCount: () => {
      const { completed, failed, cancelled } = endings.total()
      return completed + failed + cancelled
    },
    note: () => {
      const { sessions, steps } = tally.total()
      const failed = Object.values(withoutVerdict).reduce((sum, each) => sum + each, 0)
      const reported = `${sessions} sessions, ${steps} steps, ${perSecond()}/s, p99 ${lately.quantile(0.99).toFixed(1)} ms`
      return `${reported}, ${late.steps} late, ${failed} unanswered${full > 0 ? `, ${full} times full` : ''}`
    },
    figures: (client) => ({
      ...tally.total(),
      ...endings.total(),
      byCategory: Object.fromEntries(
        Object.entries(tally.byName()).map(([name, counts]) => [name, { ...counts, ...endings.of(name) }]),
      ),
      reviews,
      latencyMs: {
        p50: Number(latency.quantile(0.5).toFixed(1)),
        p90: Number(latency.quantile(0.9).toFixed(1)),
        p99: Number(latency.quantile(0.99).toFixed(1)),
        max: Number(latency.quantile(1).toFixed(1)),
      },
      late,
      withoutVerdict,
      full,
      retried: client.stats().retried,
      seconds: Number(seconds().toFixed(1)),
      stepsPerSecond: perSecond(),
    }),
  }
}

function reviewOutcome({ verdict, mayRun }: FleetDecision['answer']): keyof FleetFigures['reviews'] {
  if (verdict === 'confirm') return 'open'
  return mayRun ? 'run' : 'stopped'
}

function createEndings() {
  const none = (): Endings => ({ completed: 0, failed: 0, cancelled: 0, violated: 0, leaked: 0 })
  const total = none()
  const byName = new Map<string, Endings>()
  const of = (name: string): Endings => {
    const own = byName.get(name) ?? none()
    byName.set(name, own)
    return own
  }
  return {
    add: (name: string, { outcome, isViolated, hasLeaked }: Ending) => {
      for (const endings of [total, of(name)]) {
        endings[outcome]++
        if (isViolated) endings.violated++
        if (hasLeaked) endings.leaked++
      }
    },
    of,
    total: () => total,
  }
}
