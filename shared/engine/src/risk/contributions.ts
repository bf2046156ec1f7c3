import type { Rules } from '../rules.js'
import { CONDUCT_FEATURES, conductFeaturesOf } from '../state/conduct.js'
import type { SessionState } from '../state/session.js'
import {
  type StepView,
  SESSION_FEATURES,
  STEP_FEATURES,
  sessionFeaturesOf,
  stepFeaturesOf,
} from './features.js'
import { isLabelsOnly } from './risk.js'
import { type CompiledScorer, marginOf } from './scorer.js'

/** What one feature adds to a score. */
export interface Contribution {
  readonly name: string
  readonly value: number
  /** Log-odds before calibration, less those with the feature at 0. Trees interact, so weights do not add up to the score. */
  readonly weight: number
}

/** The features that weigh in the scores of a step, the heaviest first. */
export interface StepContributions {
  /** In p1 of the step. */
  readonly hazard: readonly Contribution[]
  /** In the score of the session after it. */
  readonly session: readonly Contribution[]
  /** In the score of its conduct after it; empty without a scorer of conduct or without a report. */
  readonly conduct: readonly Contribution[]
}

/** The features of one score that are not 0 and that change it, the heaviest first. @param names of `features`, in their order */
export function contributionsOf(
  scorer: CompiledScorer,
  features: Float64Array,
  names: readonly string[],
): Contribution[] {
  const margin = marginOf(scorer, features)
  const contributions: Contribution[] = []
  for (const [i, name] of names.entries()) {
    const value = features[i] ?? 0
    if (value === 0) continue
    features[i] = 0
    const weight = margin - marginOf(scorer, features)
    features[i] = value
    if (weight !== 0) contributions.push({ name, value, weight })
  }
  return contributions.sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
}

/**
 * Why the scorers rate a step as they do. Undefined where the rules have no scorers. For people: it scores once for each feature.
 *
 * @param after the session as the next step finds it
 */
export function stepContributions(
  step: Omit<StepView, 'before'> & { readonly before: SessionState },
  after: SessionState,
  rules: Rules,
): StepContributions | undefined {
  const { flow } = isLabelsOnly(after, rules) ? (rules.labelsOnly ?? rules) : rules
  if (!flow) return undefined
  return {
    hazard: contributionsOf(flow.hazard, stepFeaturesOf(step), STEP_FEATURES),
    session: contributionsOf(flow.session, sessionFeaturesOf(after), SESSION_FEATURES),
    conduct: flow.conduct
      ? contributionsOf(flow.conduct.scorer, conductFeaturesOf(after.conduct), CONDUCT_FEATURES)
      : [],
  }
}
