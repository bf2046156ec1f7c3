import type { Catalogue, Policy } from '@plimsoll/contracts'
import { conditionFindings } from './conditions.js'
import type { Finding } from './finding.js'
import { flowFindings } from './flows.js'
import { lineFindings } from './line.js'
import { restatedFindings } from './restated.js'
import { tierFindings } from './tiers.js'
import { toolFindings } from './tools.js'
import { traceFindings } from './trace.js'

/**
 * Reads a valid policy closely: whether its analysis leads from losses to specs without a hole, whether its specs get in each other's way,
 * and, given a catalogue, whether its patterns match any tool.
 */
export function lintPolicy(policy: Policy, catalogue?: Catalogue): Finding[] {
  return [
    ...traceFindings(policy),
    ...restatedFindings(policy),
    ...lineFindings(policy),
    ...flowFindings(policy),
    ...tierFindings(policy),
    ...conditionFindings(policy),
    ...(catalogue ? toolFindings(policy, catalogue) : []),
  ]
}
