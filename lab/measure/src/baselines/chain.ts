import type { StateSpace } from '@plimsoll/contracts'
import { INITIAL_STATE, advanceSafetyState, riskLevelOf, stepLabelsOf } from '@plimsoll/engine'
import type { Labeller } from '@plimsoll/labels'
import {
  type BlindTrace,
  type Corpus,
  type RecordedTruth,
  type SessionPath,
  type Space,
  type Tables,
  CATEGORIES,
  HORIZON,
  HORIZON_MAX,
  KAPPA,
  createEstimator,
  createTally,
  emptyScores,
  proposedRisk,
  spaceOf,
  tablesOf,
  uniformPosterior,
} from '@plimsoll/fit'
import type { Method } from '../metrics/method-fold.js'

/**
 * The state in which each step of a session would arrive by the names of its tools alone, as the published method has it. A tool that
 * nothing labels leaves the session where it is.
 */
export function walk({ steps }: BlindTrace, labelOf: Labeller, space: Space): Uint8Array {
  const states = new Uint8Array(steps.length)
  let safety = INITIAL_STATE
  let level = 0
  for (const [i, { tool }] of steps.entries()) {
    const labels = labelOf(tool)
    if (labels) safety = advanceSafetyState(safety, stepLabelsOf(labels))
    level = Math.max(level, riskLevelOf(safety))
    states[i] = space.indexOf(safety, level)
  }
  return states
}

/**
 * What of a walk is fitted to: cut after the violation, without proposals that never ran. A violation at no known step is spread evenly
 * over the steps.
 */
export function pathAlong(
  states: Uint8Array,
  { unsafe, violatedAt, unexecuted }: RecordedTruth,
): SessionPath {
  const end = violatedAt ?? states.length - 1
  const arrivals = Array.from(states.subarray(0, end + 1)).filter((_, i) => !unexecuted.has(i))
  const isPlaced = !unsafe || violatedAt !== undefined
  return {
    arrivals,
    violated: violatedAt !== undefined,
    unlabelled: 0,
    unexecuted: unexecuted.size,
    ...(!isPlaced && arrivals.length > 0 && { posterior: uniformPosterior(arrivals.length) }),
  }
}

/** The published method: a chain a category over a state space of tool-level labels, shrunk to the aggregate. Source: SafetyDrift §5. */
export function chainMethod(corpus: Corpus, labelOf: Labeller, name: Exclude<StateSpace, 'flow'>): Method {
  const space = spaceOf(name)
  const { recordings } = corpus
  const walks = recordings.map(({ blind }) => walk(blind, labelOf, space))
  return {
    name,
    fit: (training) => {
      const lookUp = fitLookUps(corpus, walks, training, space)
      return {
        score: (n) => {
          const states = walks[n] ?? new Uint8Array()
          const { p1, p5, p5After } = lookUp(recordings[n]?.blind.category ?? '')
          const scores = emptyScores(states.length)
          for (const [i, s] of states.entries()) {
            scores.p1[i] = p1[s] ?? 0
            scores.p5[i] = p5[s] ?? 0
            scores.p5After[i] = p5After[s] ?? 0
          }
          return scores
        },
      }
    },
  }
}

type LookUp = Readonly<Record<'p1' | 'p5' | 'p5After', ArrayLike<number>>>

function fitLookUps(
  corpus: Corpus,
  walks: readonly Uint8Array[],
  training: readonly number[],
  space: Space,
): (category: string) => LookUp {
  const { aggregate, categories } = fitWalkedChains(corpus, (n) => walks[n], training, space)
  const fallback = lookUpOf(aggregate)
  const own = new Map(Array.from(categories, ([name, tables]) => [name, lookUpOf(tables)]))
  return (category) => own.get(category) ?? fallback
}

const HORIZONS = { horizon: HORIZON, horizonMax: HORIZON_MAX }

/** Chains over walks: of all, and of each category shrunk to that. */
export function fitWalkedChains(
  { recordings }: Corpus,
  walkOf: (n: number) => Uint8Array | undefined,
  training: readonly number[],
  space: Space,
): { readonly aggregate: Tables; readonly categories: ReadonlyMap<string, Tables> } {
  const aggregate = createTally(space.size, space.start)
  const categories = new Map<string, typeof aggregate>(
    CATEGORIES.map((category) => [category, createTally(space.size, space.start)]),
  )
  for (const n of training) {
    const recording = recordings[n]
    if (!recording) continue
    const path = pathAlong(walkOf(n) ?? new Uint8Array(), recording.truth)
    aggregate.add(path)
    categories.get(recording.blind.category)?.add(path)
  }
  const estimator = createEstimator(space, 'observed', KAPPA)
  const overall = estimator.aggregate(aggregate.tally.counts)
  const own = Array.from(categories, ([category, { tally }]) => {
    const estimate = estimator.category(tally.counts, overall)
    return [category, tablesOf(estimate, tally, HORIZONS)] as const
  })
  return { aggregate: tablesOf(overall, aggregate.tally, HORIZONS), categories: new Map(own) }
}

const lookUpOf = (tables: Tables): LookUp => ({
  p1: tables.hazard,
  p5: proposedRisk(tables, HORIZON),
  p5After: tables.forward[HORIZON] ?? [],
})
