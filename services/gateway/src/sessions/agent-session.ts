import type { ProposedStep, Session } from '@plimsoll/client'

/** `session` as an agent may use it that nobody vouches for: what it says can raise a verdict and lower none. */
export const withoutVouching = (session: Session): Session => ({
  ...session,
  propose: (step, options) => session.propose(withoutEvidence(step), options),
  ask: (step, options) => session.ask(withoutEvidence(step), options),
  run: (step, execute, options) => session.run(withoutEvidence(step), execute, options),
})

function withoutEvidence(step: ProposedStep): ProposedStep {
  const { evidence: _, ...rest } = step
  return rest
}
