import type { GoalReport, HazardReport, VerificationReport, WedgeReport } from '@plimsoll/policy'

/** What is taken for no fault. */
export interface Accepts {
  readonly approvals: boolean
  readonly predictionStop: boolean
}

/** A hazard that says of no run is the analysis' alone: there is nothing to verify. */
export const isHeld = ({ result }: HazardReport, { approvals }: Accepts): boolean =>
  ['proved', 'alerted', 'not_stated'].includes(result) || (approvals && result === 'by_approval')

export const isWithinReach = ({ result }: GoalReport): boolean =>
  result === 'reachable' || result === 'by_approval'

export const isGoingOn = ({ result }: WedgeReport, { predictionStop }: Accepts): boolean =>
  result === 'none' || (predictionStop && result === 'prediction')

/** Whether every hazard is held, every goal within reach, and no agent can come to a stand. */
export const isAccepted = ({ hazards, goals, wedge }: VerificationReport, accepts: Accepts): boolean =>
  hazards.every((hazard) => isHeld(hazard, accepts)) &&
  goals.every(isWithinReach) &&
  isGoingOn(wedge, accepts)
