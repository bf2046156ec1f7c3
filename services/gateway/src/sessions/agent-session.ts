import type { ProposedStep, Session, WaitOptions } from '@plimsoll/client'
import type { EntryFinder } from '@plimsoll/labels'
import { withRaisingLabels } from '../intake/believed.js'

/** An agent waits no longer for a verdict than a host may, milliseconds. */
export const AGENT_TIMEOUT_MS_MAX = 60_000

/**
 * `session` as an agent may use it that nobody vouches for: what it says can raise a verdict and lower none, and its patience is `timeoutMs` at
 * least: with less it could have its fail mode answer in place of the monitors.
 */
export const withoutVouching = (session: Session, entryOf: EntryFinder, timeoutMs: number): Session => ({
  ...session,
  // An agent is not its user: what it says that he wants would vouch for all that it names.
  instruct: async () => {},
  propose: (step, options) => session.propose(believed(step, entryOf), patient(options, timeoutMs)),
  ask: (step, options) => session.ask(believed(step, entryOf), patient(options, timeoutMs)),
  run: (step, execute, options) =>
    session.run(believed(step, entryOf), execute, options && patient(options, timeoutMs)),
})

function believed(step: ProposedStep, entryOf: EntryFinder): ProposedStep {
  const { evidence: _, ...rest } = step
  return withRaisingLabels(rest, entryOf)
}

function patient<O extends WaitOptions>(options: O | undefined, floorMs: number): O | undefined {
  if (options?.timeoutMs === undefined) return options
  return { ...options, timeoutMs: Math.min(Math.max(options.timeoutMs, floorMs), AGENT_TIMEOUT_MS_MAX) }
}
