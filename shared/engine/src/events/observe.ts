import type { EventOf, Evidence } from '@plimsoll/contracts'
import type { Matches } from '../provenance/matches.js'
import { stepFeaturesOf } from '../risk/features.js'
import { type StepRisk, estimateStepRisk } from '../risk/risk.js'
import type { Rules } from '../rules.js'
import type { SessionState } from '../state/session.js'
import { reportOfProposal } from './proposed.js'

/** A proposed step as the scorers see it. */
export interface ObservedStep {
  /** In the order of STEP_FEATURES. */
  readonly features: Float64Array
  readonly matches: Matches | undefined
  readonly evidence: Evidence
  readonly stepRisk: StepRisk
}

/**
 * What `step` would make of `proposal` in `state`, without judging it: fitting and evaluation see exactly what run time sees. The
 * rules may come without scorers. Pure; steps told as unanswered are not counted.
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
