import type { Answer } from '@plimsoll/client'
import { VERDICTS, type Verdict } from '@plimsoll/contracts'
import type { Trace } from '@plimsoll/trainer'
import { countsTable } from '../counts-table.js'
import { createLineTally, lineTables, severer, truthOf } from './line-tally.js'
import { createSamples, p50AndP99, type Samples } from '../quantiles.js'
import { createTally } from '../tally.js'
import { textTable } from '../text-table.js'

/** What a replay counts. */
export interface ReplayReport {
  readonly answer: (trace: Trace, answer: Answer, latencyMs: number) => void
  /** Told of each session that has come to its end. */
  readonly session: (trace: Trace) => void
  readonly sessions: () => number
  readonly steps: () => number
  readonly figures: (seconds: number, decisionMicros: Samples | undefined) => ReplayFigures
}

export type ReplayFigures = ReturnType<typeof figuresOf>

interface Counted {
  readonly byCategory: ReturnType<typeof createTally>
  readonly bySuite: ReturnType<typeof createTally>
  readonly byTruth: ReturnType<typeof createTally>
  /** Sessions, not steps, by the worst verdict in them. */
  readonly worstByTruth: ReturnType<typeof createTally>
  readonly line: ReturnType<typeof createLineTally>
  readonly latency: Samples
  withoutVerdict: number
}

export function createReplayReport(): ReplayReport {
  const counted: Counted = {
    byCategory: createTally(),
    bySuite: createTally(),
    byTruth: createTally(),
    worstByTruth: createTally(),
    line: createLineTally(),
    latency: createSamples(),
    withoutVerdict: 0,
  }
  const worst = new Map<string, Verdict>()
  return {
    answer: (trace, answer, latencyMs) => {
      const { verdict, by } = answer
      counted.line.answer(trace, answer)
      for (const [tally, name] of groupsOf(trace, counted)) tally.step(name, verdict)
      worst.set(trace.trace_id, severer(worst.get(trace.trace_id) ?? 'allow', verdict))
      if (by === 'decision') counted.latency.add(latencyMs)
      else counted.withoutVerdict++
    },
    session: (trace) => {
      for (const [tally, name] of groupsOf(trace, counted)) tally.session(name)
      counted.worstByTruth.step(truthOf(trace), worst.get(trace.trace_id) ?? 'allow')
      worst.delete(trace.trace_id)
      counted.line.session(trace)
    },
    sessions: () => counted.byTruth.total().sessions,
    steps: () => counted.byTruth.total().steps,
    figures: (seconds, decisionMicros) => figuresOf(counted, seconds, decisionMicros),
  }
}

function groupsOf(trace: Trace, { byCategory, bySuite, byTruth }: Counted) {
  return [
    [byCategory, trace.category_hint],
    [bySuite, trace.suite || trace.source],
    [byTruth, truthOf(trace)],
  ] as const
}

function figuresOf(counted: Counted, seconds: number, decisionMicros: Samples | undefined) {
  const total = counted.byTruth.total()
  const worst = Object.entries(counted.worstByTruth.byName()).map(
    ([truth, { verdicts }]) => [truth, verdicts] as const,
  )
  return {
    ...total,
    byCategory: counted.byCategory.byName(),
    bySuite: counted.bySuite.byName(),
    byTruth: counted.byTruth.byName(),
    sessionsByWorstVerdict: Object.fromEntries(worst),
    line: counted.line.figures(),
    withoutVerdict: counted.withoutVerdict,
    seconds: Number(seconds.toFixed(2)),
    stepsPerSecond: Math.round(total.steps / Math.max(seconds, 1e-3)),
    latencyMillis: p50AndP99(counted.latency, 2),
    decisionMicros: decisionMicros ? p50AndP99(decisionMicros) : null,
  }
}

/** The figures for a human. */
export function reportText(figures: ReplayFigures): string {
  const {
    byCategory,
    bySuite,
    byTruth,
    sessionsByWorstVerdict,
    line,
    latencyMillis: ms,
    decisionMicros: micros,
  } = figures
  const worst = Object.entries(sessionsByWorstVerdict).map(([truth, counts]) => [
    truth,
    ...VERDICTS.map((each) => counts[each]),
  ])
  return [
    countsTable('category', byCategory, figures),
    countsTable('suite', bySuite, figures),
    countsTable('recorded truth', byTruth, figures),
    textTable([['sessions by worst verdict', ...VERDICTS], ...worst]),
    ...lineTables(line),
    [
      `${figures.steps} steps in ${figures.seconds} s (${figures.stepsPerSecond}/s), ${figures.withoutVerdict} without a decision`,
      `from publish to decision ${ms.p50} ms (p50), ${ms.p99} ms (p99)`,
      ...(micros ? [`deciding took ${micros.p50} µs an event (p50), ${micros.p99} µs (p99)`] : []),
      '',
    ].join('\n'),
  ].join('\n')
}
