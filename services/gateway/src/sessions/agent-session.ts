import type { ProposedStep, Session } from '@plimsoll/client'
import type { EntryFinder } from '@plimsoll/labels'
import { withRaisingLabels } from '../intake/believed.js'

/** `session` as an agent may use it that nobody vouches for: what it says can raise a verdict and lower none. */
export const withoutVouching = (session: Session, entryOf: EntryFinder): Session => ({
  ...session,
  propose: (step, options) => session.propose(believed(step, entryOf), options),
  ask: (step, options) => session.ask(believed(step, entryOf), options),
  run: (step, execute, options) => session.run(believed(step, entryOf), execute, options),
})

function believed(step: ProposedStep, entryOf: EntryFinder): ProposedStep {
  const { evidence: _, ...rest } = step
  return withRaisingLabels(rest, entryOf)
}
