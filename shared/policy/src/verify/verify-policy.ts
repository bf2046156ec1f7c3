import { verifyGoal } from './goals.js'
import { verifyHazard } from './hazards.js'
import type { VerificationReport, VerifyOptions } from './report.js'
import { createSetup } from './setup.js'
import { verifySpecs } from './spec-findings.js'
import { verifyWedge } from './wedge.js'

/**
 * Explores what the engine's own `step` makes of a policy and the tools of a catalogue: whether the hazards that the policy states can be
 * reached, whether its goals can, and whether an agent can come to a stand. Throws `document_invalid` where the policy cannot be compiled.
 *
 * @example verifyPolicy({ policy, catalogue }).hazards.every(({ result }) => result === 'proved')
 */
export function verifyPolicy(options: VerifyOptions): VerificationReport {
  const setup = createSetup(options)
  const { policy, catalogue, depth, claims = 'results', failOpen = [] } = options
  const hazards = (policy.analysis?.hazards ?? []).map((hazard) => verifyHazard(setup, hazard))
  const goals = (policy.analysis?.goals ?? []).map((goal) => verifyGoal(setup, goal))
  const wedge = verifyWedge(setup)
  const specs = verifySpecs(setup)
  const sum = (reports: readonly { readonly states: number }[]) =>
    reports.reduce((all, { states }) => all + states, 0)
  return {
    policy: policy.name,
    catalogue: catalogue.name,
    ...(depth !== undefined && { depth }),
    claims,
    failOpen,
    hazards,
    goals,
    wedge,
    specs: specs.specs,
    kinds: setup.kinds(),
    states: sum(hazards) + sum(goals) + wedge.states + specs.states,
  }
}
