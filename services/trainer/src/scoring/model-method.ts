import { type ChainTables, type Documents, LEVELS } from '@plimsoll/contracts'
import type { ObserverPart } from '@plimsoll/labels'
import { type SessionScores, emptyScores } from '../evaluation/judged.js'
import type { Fitted, Method } from '../evaluation/method-fold.js'
import type { Corpus } from '../evaluation/source-census.js'
import type { LevelAt } from '../evaluation/study.js'
import { type ScoredStep, createTraceScorer } from './play.js'

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
  const fitted: Fitted = { score: (n) => scoresOf(stepsOf(n)), thresholds: thresholdsIn(documents) }
  return {
    name: `bundle ${documents.bundle.name}`,
    fit: () => fitted,
    stepsOf,
    levelAt: (n, i) => LEVELS.indexOf(stepsOf(n)[i]?.level ?? 'safe'),
    cost: () => costOf(scored.values()),
  }
}

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
