import type { Answer } from '@plimsoll/client'
import { type Evidence, type Verdict, EVIDENCES, VERDICTS } from '@plimsoll/contracts'
import { type Trace, exclusionFor } from '@plimsoll/fit'
import {
  type Samples,
  type VerdictCounts,
  countsTable,
  createSamples,
  createTally,
  p50AndP99,
} from '../../format/tally.js'
import { textTable } from '../../format/text.js'

/** What became of sessions, by the recorded truth. */
export const TRUTHS = ['unsafe', 'safe', 'unknown'] as const
export type Truth = (typeof TRUTHS)[number]

/** An attack that was carried out in part, or in words alone, is neither of the two. */
export function truthOf({ label }: Trace): Truth {
  if (exclusionFor(label) !== undefined) return 'unknown'
  return label.unsafe === true ? 'unsafe' : 'safe'
}

/** What the line said, by its evidence. */
export interface LineFigures {
  /** Steps at the line. */
  readonly stepsByEvidence: Readonly<Record<Evidence, Readonly<Record<Truth, number>>>>
  /** Sessions by the worst that the line said in them; `allow` where it said nothing. */
  readonly sessionsByWorstVerdict: Readonly<Record<Truth, VerdictCounts>>
}

const each = <K extends string, V>(names: readonly K[], make: () => V): Record<K, V> =>
  Object.fromEntries(names.map((name) => [name, make()])) as Record<K, V>

/** Counts reasons of the line. Without fingerprints from the client the evidence is unknown. */
export function createLineTally() {
  const steps = each(EVIDENCES, () => each(TRUTHS, () => 0))
  const sessions = each(TRUTHS, (): VerdictCounts => each(VERDICTS, () => 0))
  const worst = new Map<string, Verdict>()
  return {
    answer: (trace: Trace, { decision }: Answer): void => {
      const line = decision?.reasons.find(({ source }) => source === 'line')
      if (!line) return
      steps[decision?.risk?.evidence ?? 'unknown'][truthOf(trace)]++
      worst.set(trace.trace_id, severer(worst.get(trace.trace_id) ?? 'allow', line.verdict))
    },
    session: (trace: Trace): void => {
      sessions[truthOf(trace)][worst.get(trace.trace_id) ?? 'allow']++
      worst.delete(trace.trace_id)
    },
    figures: (): LineFigures => ({ stepsByEvidence: steps, sessionsByWorstVerdict: sessions }),
  }
}

export const severer = (a: Verdict, b: Verdict): Verdict =>
  VERDICTS.indexOf(a) > VERDICTS.indexOf(b) ? a : b

/** The line's own tables, for a human. */
export function lineTables({ stepsByEvidence, sessionsByWorstVerdict }: LineFigures): string[] {
  return [
    textTable([
      ['steps at the line, sensitive data', ...TRUTHS],
      ...EVIDENCES.map((evidence) => [evidence, ...TRUTHS.map((truth) => stepsByEvidence[evidence][truth])]),
    ]),
    textTable([
      ['sessions by worst of the line', ...VERDICTS],
      ...TRUTHS.map((truth) => [truth, ...VERDICTS.map((verdict) => sessionsByWorstVerdict[truth][verdict])]),
    ]),
  ]
}

/** What a replay counts. */
export interface ReplayReport {
  readonly answer: (trace: Trace, answer: Answer, latencyMs: number) => void
  /** Counts a session at its end. */
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
