import {
  type ChainTables,
  type Decision,
  type Documents,
  type Level,
  type Provenance,
  type Taint,
  LEVELS,
  PlimsollError,
} from '@plimsoll/contracts'
import type { ObserverPart } from '@plimsoll/labels'
import {
  type BlindTrace,
  type Corpus,
  type ReportParts,
  type SessionScores,
  type Stage,
  HORIZON,
  emptyScores,
  evaluationObserver,
  play,
} from '@plimsoll/fit'
import { compileRules } from '@plimsoll/policy'
import { estimateSessionRisk, reportOfProposal } from '@plimsoll/engine'
import type { Fitted, Method } from '../metrics/method-fold.js'
import type { StepVerdict } from '../metrics/session-record.js'
import { type Ambiguity, ambiguitiesOf } from './ambiguity.js'

/** A bundle as it ships: nothing is fitted, every session runs through the engine, once; thresholds are the bundle's own. */
export function modelMethod(
  corpus: Corpus,
  documents: Documents,
  without: readonly ObserverPart[] = [],
): Method & ModelScores {
  const scoreTrace = createTraceScorer(documents, { without })
  const scored = new Map<number, readonly ScoredStep[]>()
  const stepsOf = (n: number): readonly ScoredStep[] => {
    const { blind } = corpus.recordings[n] ?? {}
    const steps = scored.get(n) ?? (blind ? scoreTrace(blind) : [])
    scored.set(n, steps)
    return steps
  }
  const fitted: Fitted = {
    score: (n) => scoresOf(stepsOf(n)),
    verdicts: stepsOf,
    thresholds: thresholdsIn(documents),
  }
  return {
    name: `bundle ${documents.bundle.name}`,
    fit: () => fitted,
    stepsOf,
    levelAt: (n, i) => LEVELS.indexOf(stepsOf(n)[i]?.level ?? 'safe'),
    cost: () => costOf(scored.values()),
  }
}

/** The risk level in which a step arrives, by session and step. */
export type LevelAt = (n: number, i: number) => number

export interface ModelScores {
  /** What the engine says of each step of session n. */
  readonly stepsOf: (n: number) => readonly ScoredStep[]
  /** The level in which a step arrives. */
  readonly levelAt: LevelAt
  /** What the steps scored so far have cost. */
  readonly cost: () => StepCost
}

/** Microseconds a step, client and engine together. */
export interface StepCost {
  readonly steps: number
  readonly p50: number
  readonly p90: number
  readonly p99: number
}

function costOf(sessions: Iterable<readonly ScoredStep[]>): StepCost {
  const sorted = Float64Array.from([...sessions].flatMap((steps) => steps.map(({ us }) => us))).sort()
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN
  return { steps: sorted.length, p50: at(0.5), p90: at(0.9), p99: at(0.99) }
}

function scoresOf(steps: readonly ScoredStep[]): SessionScores {
  const scores = emptyScores(steps.length)
  for (const [i, { p1, p5, p5After }] of steps.entries()) {
    scores.p1[i] = p1
    scores.p5[i] = p5
    scores.p5After[i] = p5After
  }
  return scores
}

function thresholdsIn({ bundle }: Documents): NonNullable<Fitted['thresholds']> {
  const of = (kind: keyof ChainTables['thresholds'], n: number) => (category: string) => {
    const { thresholds } = bundle.categories[category] ?? bundle.aggregate
    return thresholds[kind][n] ?? Infinity
  }
  return {
    p1: ['warn', 'confirm', 'block'].map((name, n) => ({ name, of: of('hazard', n) })),
    p5: ['band 1', 'band 2', 'band 3'].map((name, n) => ({ name, of: of('forward', n) })),
  }
}

/** What the engine says of one recorded step. */
export interface ScoredStep extends StepVerdict {
  /** P(this step is the violation), P(this or one of the next four is): as decided at its proposal. */
  readonly p1: number
  readonly p5: number
  /** P(one of the next five is), once this step's result is in. */
  readonly p5After: number
  readonly level: Level
  /** As decided at its proposal. */
  readonly taint: Taint
  /** Where its distinctive values come from; null where it has none. */
  readonly provenance: Provenance | null
  /** What the readers leave open; empty if nothing. */
  readonly ambiguity: readonly Ambiguity[]
  /** Microseconds that proposal and completion took, in client and engine together. */
  readonly us: number
}

/** The verdict sources that block a step or need its approval. */
const restrictingIn = (reasons: Decision['reasons']): string[] => [
  ...new Set(
    reasons
      .filter((reason) => !reason.liftedBy && (reason.verdict === 'confirm' || reason.verdict === 'block'))
      .map(({ source }) => source),
  ),
]

export type TraceScorer = (trace: BlindTrace) => ScoredStep[]

/**
 * Scores recorded sessions with a bundle, through the observer and the engine that a deployment runs.
 *
 * @throws PlimsollError `usage_invalid` where the bundle cannot look five steps ahead
 */
export function createTraceScorer(documents: Documents, sight: ReportParts = {}): TraceScorer {
  const { bundle, catalogue } = documents
  if (bundle.horizonMax < HORIZON)
    throw new PlimsollError(
      'usage_invalid',
      `the bundle looks ${bundle.horizonMax} steps ahead, not ${HORIZON}`,
    )
  const rules = compileRules({ ...documents, bundle: { ...bundle, horizon: HORIZON } })
  const stage: Stage = { rules, observer: evaluationObserver(catalogue, sight) }
  return (trace) => {
    const steps: ScoredStep[] = []
    play(trace, stage, {
      stepped: ({ before, proposal, decision, after, us }) => {
        const { verdict, reasons, risk } = decision
        if (!risk) throw new RangeError('a recorded step was not judged')
        const { hazard: p1, probability: p5, level, taint, provenance = null } = risk
        steps.push({
          p1,
          p5,
          p5After: estimateSessionRisk(after, rules),
          level,
          verdict,
          by: restrictingIn(reasons),
          taint,
          provenance,
          ambiguity: ambiguitiesOf(reportOfProposal(before, proposal, rules), decision),
          us,
        })
      },
    })
    return steps
  }
}
