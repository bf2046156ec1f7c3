import { createPauses, runFleet, type FleetDecision } from '@plimsoll/fleet'
import type { Output } from '../command.js'
import { countsTable } from '../counts-table.js'
import { decisionLine } from '../decision-line.js'
import { p50AndP99 } from '../quantiles.js'
import { createTally, type Tally } from '../tally.js'
import type { Stack } from './stack.js'

export interface FleetPlan {
  readonly seed: number
  /** Without end where it is undefined. */
  readonly sessions: number | undefined
  readonly concurrency: number
  readonly pauseMs: number
}

/** Runs the fleet to its end or the abort, writes each decision to `shown` as it comes, and sums up. */
export async function watchFleet(stack: Stack, plan: FleetPlan, shown: Output, signal: AbortSignal) {
  const { client, submitReview, decisionMicros } = stack
  const { seed, concurrency, pauseMs, sessions } = plan
  const tally = createTally()
  const failure = new AbortController()
  const fleet = runFleet({
    client,
    name: 'fleet',
    seed,
    concurrency,
    pace: createPauses(pauseMs),
    ...(sessions !== undefined && { sessions }),
    signal: AbortSignal.any([signal, failure.signal]),
    submitReview,
    statesEvidence: false,
    onSession: ({ scenario }) => tally.session(scenario.category),
    onDecision: (decision) => note(decision, tally, shown),
  })
  try {
    await Promise.race([fleet, stack.failed])
  } finally {
    failure.abort()
  }
  return summaryOf(tally, p50AndP99(decisionMicros))
}

function note({ answer, answers, performance }: FleetDecision, tally: Tally, shown: Output): void {
  const { verdict, tool, decision } = answer
  if (answers === 'proposal') tally.step(performance.scenario.category, verdict)
  if (decision) shown.write(decisionLine(decision, { colour: shown.isTerminal }))
  else shown.write(`${verdict}: no decision came on ${tool} of ${performance.sessionId}\n`)
}

function summaryOf(tally: Tally, decisionMicros: { readonly p50: number; readonly p99: number }) {
  const { p50, p99 } = decisionMicros
  const total = tally.total()
  const byCategory = tally.byName()
  const table = countsTable('category', byCategory, total)
  return {
    figures: { ...total, byCategory, decisionMicros },
    text: `\n${table}\ndeciding took ${p50} µs a decision (p50), ${p99} µs (p99)\n`,
  }
}
