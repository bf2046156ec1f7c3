import type { EventOf, Evidence } from '@plimsoll/contracts'
import type { Matches } from '../provenance/matches.js'
import { stepFeaturesOf } from '../risk/features.js'
import { type StepRisk, estimateStepRisk } from '../risk/risk.js'
import type { Rules } from '../rules.js'
import type { SessionState } from '../state/session.js'
import { reportOfProposal } from './report.js'

/** A proposed step as seen by the scorers. */
export interface ObservedStep {
  /** In the order of STEP_FEATURES. */
  readonly features: Float64Array
  readonly matches: Matches | undefined
  readonly evidence: Evidence
  readonly stepRisk: StepRisk
}

/**
 * The features that `step` would compute for `proposal`, without judging it: fitting and evaluation see exactly what run time sees. The
 * rules need no scorers. Pure; steps without a verdict in the proposal are not counted.
 */
export function observeStep(
  state: SessionState,
  proposal: EventOf<'step.proposed'>,
  rules: Rules,
): ObservedStep {
  const { labels, matches, signals, evidence } = reportOfProposal(state, proposal, rules)
  return {
    features: stepFeaturesOf({ before: state, labels, matches, signals }),
    matches,
    evidence,
    stepRisk: estimateStepRisk(state, { labels, matches, signals }, rules),
  }
}
