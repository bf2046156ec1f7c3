import type { Reason } from '@plimsoll/contracts'
import { SENSITIVE_EXPOSURE } from '../../labels/safety-state.js'
import { areTargetsNamed, isAtTheLine, sendsRecords } from '../../state/evidence.js'
import { severity } from '../severity.js'
import { heldReason } from './held.js'
import { type LineStep, lineMessage } from './line-message.js'
import { type Outlet, outletOf } from './outlet.js'

/**
 * The line: a step may let out sensitive data that the session has read, or that the step itself reads. Source: docs/decisions/20261122-line.md.
 *
 * - a step that `sends` is judged by the evidence, whatever it is;
 * - a `request` that reaches only the organisation lets nothing out;
 * - a `request` passes if the data is absent; with unknown evidence it needs approval only if it may reach a person outside the
 *   organisation, or if it sends a file or record that is itself sensitive;
 * - for `code` the data is never known to be absent;
 * - once a step was blocked because it held sensitive data, each of these needs approval until the session is declassified.
 */
export function lineReason(step: LineStep): Reason | undefined {
  const { state, labels } = step
  if (!isAtTheLine(state, labels, step.signals)) return undefined
  const outlet = outletOf(step, state)
  if (!outlet) return undefined
  const reason = evidenceReason(step, outlet)
  if (!state.held || (reason && severity(reason.verdict) >= severity('confirm'))) return reason
  return heldReason()
}

/** The verdict of the evidence alone. */
function evidenceReason(step: LineStep, outlet: Outlet): Reason | undefined {
  const { lineEvidence, rules } = step
  // The arguments of unknown code do not show what it sends.
  const evidence = outlet === 'code' && lineEvidence === 'absent' ? 'unknown' : lineEvidence
  if (outlet === 'request' && evidence === 'absent') return undefined
  // A program that the user names, given nothing of what was read.
  if (outlet === 'code' && step.signals?.runsNamed === 1 && !step.state.codeWritten && evidence !== 'present')
    return undefined
  if (outlet === 'request' && staysInside(step)) return undefined
  if (outlet === 'request' && evidence === 'unknown' && !reachesOutside(step) && !sendsWhatItReads(step))
    return undefined
  const isPush = evidence === 'unknown' && step.signals?.pushes === 1
  const code = outlet === 'code' && !isPush ? 'unknown_code_after_sensitive' : 'outgoing_after_sensitive'
  return { source: 'line', code, verdict: rules.line[evidence], message: lineMessage(outlet, evidence, step) }
}

/** Whether the client reports that all recipients belong to the organisation. */
const staysInside = ({ signals = {} }: LineStep): boolean =>
  signals['outside'] === 0 && (signals['external'] ?? 0) === 0 && (signals['strangers'] ?? 0) === 0

/**
 * Whether the step reaches a person outside the organisation. If the organisation is unknown, recipients that the task does not name
 * count as outside when a file or record goes to them.
 */
function reachesOutside({ signals, matches }: LineStep): boolean {
  if ((signals?.['outside'] ?? 0) > 0 || (signals?.['external'] ?? 0) > 0) return true
  const hasUnknownRecipients = (signals?.['strangers'] ?? 0) > 0 && !(matches && areTargetsNamed(matches))
  return hasUnknownRecipients && sendsRecords(matches, signals)
}

/** Whether the step reads something sensitive by reference that leaves with it, like the upload of a key. */
const sendsWhatItReads = ({ labels, matches, signals }: LineStep): boolean =>
  labels.exposure >= SENSITIVE_EXPOSURE && sendsRecords(matches, signals)
