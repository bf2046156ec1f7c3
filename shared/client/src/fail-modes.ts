import { CAPABILITIES, type Capability } from '@plimsoll/contracts'
import type { Labeller } from '@plimsoll/labels'
import type { StepCall } from './step-call.js'

/** Whether a step may run for want of a verdict. */
export type FailMode = 'open' | 'closed'
export type FailModes = Readonly<Record<Capability, FailMode>>

export const FAIL_MODES: FailModes = { read: 'open', write: 'closed', execute: 'closed', network: 'closed' }

/**
 * The fail mode of a step: of the capability that the catalogue gives its tool, and of the one that it claims where that is more.
 * A tool that the catalogue does not know is closed.
 */
export function createFailModes(
  labelOf: Labeller,
  modes: Partial<FailModes> = {},
): (call: Pick<StepCall, 'tool' | 'labels'>) => FailMode {
  const all = { ...FAIL_MODES, ...modes }
  return ({ tool, labels }) => {
    const known = labelOf(tool)?.capability
    if (known === undefined) return 'closed'
    const claimed = labels?.capability
    const isRaised = claimed !== undefined && CAPABILITIES.indexOf(claimed) > CAPABILITIES.indexOf(known)
    return all[isRaised ? claimed : known]
  }
}
