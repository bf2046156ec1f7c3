import type { Signals } from '@plimsoll/contracts'
import type { StepLabels } from '../../labels/safety-state.js'
import { CODE_WITHIN, ESCALATIONS, REVERSIBILITIES, TAINTS } from '../../labels/words.js'
import { isComplete } from '../../state/evidence.js'
import type { SessionState } from '../../state/session.js'

const EXECUTE = ESCALATIONS.indexOf('code_exec')
const NETWORK = ESCALATIONS.indexOf('network')
const INSTRUCTIONS = TAINTS.indexOf('instructions')
const IRREVERSIBLE = REVERSIBILITIES.indexOf('irreversible')

/**
 * How a step can let data out: `sends` irreversibly; by a `request` that is reversible or only reads; by `code` whose effect is unknown.
 * A step without an outlet sends nothing; nor does code that is contained, whatever it does.
 */
export type Outlet = 'sends' | 'request' | 'code'

export type OutletStep = { readonly labels: StepLabels; readonly signals: Signals | undefined }

/** Source: docs/decisions/20261122-line.md. O(1). */
export function outletOf(
  { labels, signals }: OutletStep,
  { codeWritten }: Pick<SessionState, 'codeWritten'>,
): Outlet | undefined {
  if (labels.escalation < EXECUTE) return undefined
  if (labels.escalation >= NETWORK && labels.reversibility >= IRREVERSIBLE) return 'sends'
  const isContained = (signals?.['contained'] ?? 0) > 0
  if (codeWritten && (signals?.['runner'] ?? 0) > 0 && !isContained) return 'code'
  if (labels.escalation >= NETWORK) return 'request'
  return isContained || isComplete(signals) ? undefined : 'code'
}

/**
 * Whether a step may have written code that a later step runs: its client reports it, or it runs code whose effect is unknown. The
 * project's own targets are then no longer known to be harmless.
 */
export const mayWriteCode = (
  { labels, signals }: OutletStep,
  { taint }: Pick<SessionState, 'taint'>,
): boolean =>
  signals?.runsNamed !== 1 &&
  ((signals?.['code'] ?? 0) > (taint < INSTRUCTIONS ? CODE_WITHIN : 0) ||
    (labels.escalation >= EXECUTE && labels.escalation < NETWORK && !isComplete(signals)))
