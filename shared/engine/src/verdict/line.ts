import type { Evidence, Reason, Signals } from '@plimsoll/contracts'
import { type StepLabels, SENSITIVE_EXPOSURE, exposureOf } from '../labels/safety-state.js'
import { ESCALATIONS, REVERSIBILITIES, VERDICTS } from '../labels/words.js'
import type { Matches } from '../provenance/matches.js'
import type { Rules } from '../rules.js'
import { areTargetsNamed, isComplete, sendsRecords } from '../state/evidence.js'
import type { SessionState } from '../state/session.js'

const EXECUTE = ESCALATIONS.indexOf('code_exec')
const NETWORK = ESCALATIONS.indexOf('network')
const IRREVERSIBLE = REVERSIBILITIES.indexOf('irreversible')

/**
 * How a step may let data out: `sends` for good; by a `request` that can be taken back or only reads; by `code` whose effect is not known. A
 * step that none of them fits sends nothing.
 */
export type Outlet = 'sends' | 'request' | 'code'

type OutletStep = { readonly labels: StepLabels; readonly signals: Signals | undefined }

/** Source: DESIGN §4, 4a. O(1). */
export function outletOf(
  { labels, signals }: OutletStep,
  { codeWritten }: Pick<SessionState, 'codeWritten'>,
): Outlet | undefined {
  if (labels.escalation < EXECUTE) return undefined
  if (labels.escalation >= NETWORK && labels.reversibility >= IRREVERSIBLE) return 'sends'
  if (codeWritten && (signals?.['runner'] ?? 0) > 0) return 'code'
  if (labels.escalation >= NETWORK) return 'request'
  return isComplete(signals) ? undefined : 'code'
}

/**
 * Whether a step that runs may have written what a later step runs: its client says so, or it runs code whose effect is not known. What the
 * project's own targets do is then no longer known.
 */
export const mayWriteCode = ({ labels, signals }: OutletStep): boolean =>
  (signals?.['code'] ?? 0) > 0 ||
  (labels.escalation >= EXECUTE && labels.escalation < NETWORK && !isComplete(signals))

export interface LineStep extends OutletStep {
  readonly state: Pick<SessionState, 'safety' | 'held' | 'codeWritten'>
  readonly lineEvidence: Evidence
  readonly matches: Matches | undefined
  readonly rules: Pick<Rules, 'line'>
}

/**
 * The line: a step may let out something sensitive that the session has read, or that the step itself reads. Source: DESIGN §4, 4a.
 *
 * - what `sends` for good is judged by the evidence, whatever that is;
 * - a `request` that reaches the organisation alone lets nothing out;
 * - of a `request` evidence that the data is absent says nothing against it; one whose evidence is not known is asked about only where it
 *   may reach somebody outside the organisation, or where it sends a file or record that is sensitive by itself;
 * - of `code` it is never known that the data is absent;
 * - once a step was blocked because sensitive data was in it, each of these is asked about until the session is declassified.
 */
export function lineReason(step: LineStep): Reason | undefined {
  const { state, labels } = step
  if (!state.held && Math.max(exposureOf(state.safety), labels.exposure) < SENSITIVE_EXPOSURE)
    return undefined
  const outlet = outletOf(step, state)
  if (!outlet) return undefined
  const reason = evidenceReason(step, outlet)
  if (!state.held || (reason && VERDICTS.indexOf(reason.verdict) >= CONFIRM)) return reason
  return { source: 'line', code: 'outgoing_after_blocked', verdict: 'confirm', message: HELD }
}

/** What the evidence alone comes to. */
function evidenceReason(step: LineStep, outlet: Outlet): Reason | undefined {
  const { lineEvidence, rules } = step
  // What stands in its arguments says nothing of what unknown code does.
  const evidence = outlet === 'code' && lineEvidence === 'absent' ? 'unknown' : lineEvidence
  if (outlet === 'request' && evidence === 'absent') return undefined
  if (outlet === 'request' && staysInside(step)) return undefined
  if (outlet === 'request' && evidence === 'unknown' && !reachesOutside(step) && !sendsWhatItReads(step))
    return undefined
  const code = outlet === 'code' ? 'unknown_code_after_sensitive' : 'outgoing_after_sensitive'
  return { source: 'line', code, verdict: rules.line[evidence], message: MESSAGES[outlet][evidence] }
}

const CONFIRM = VERDICTS.indexOf('confirm')

/** Whether the client reports that everybody whom the step reaches is of the organisation. */
const staysInside = ({ signals = {} }: LineStep): boolean =>
  signals['outside'] === 0 && (signals['external'] ?? 0) === 0 && (signals['strangers'] ?? 0) === 0

/**
 * Whether the step reaches somebody outside the organisation. Where it is not known who is inside, those whom the task does not name count as
 * outside where a file or record goes to them.
 */
function reachesOutside({ signals, matches }: LineStep): boolean {
  if ((signals?.['outside'] ?? 0) > 0 || (signals?.['external'] ?? 0) > 0) return true
  const areStrangers = (signals?.['strangers'] ?? 0) > 0 && !(matches && areTargetsNamed(matches))
  return areStrangers && sendsRecords(matches, signals)
}

/** Whether the step reads something sensitive by a reference, and what it reads leaves with it: an upload of a key. */
const sendsWhatItReads = ({ labels, matches, signals }: LineStep): boolean =>
  labels.exposure >= SENSITIVE_EXPOSURE && sendsRecords(matches, signals)

const HELD =
  'this session tried to send sensitive data before: every step that may send needs approval until the session is declassified'

const UNKNOWN_CODE =
  'a program whose effect is not known runs after sensitive data was read; it may send some'

const MESSAGES: Readonly<Record<Outlet, Readonly<Record<Evidence, string>>>> = {
  sends: {
    present: 'an irreversible outgoing step carries sensitive data that the session has read',
    absent:
      'an irreversible outgoing step after sensitive data was read; none of it was found in the arguments',
    unknown:
      'an irreversible outgoing step after sensitive data was read; whether it carries any is not known',
  },
  request: {
    present: 'a network request carries sensitive data that the session has read',
    absent: '',
    unknown:
      'a network request that may leave the organisation, after sensitive data was read; whether it carries any is not known',
  },
  code: {
    present: 'a program whose effect is not known is given sensitive data that the session has read',
    absent: UNKNOWN_CODE,
    unknown: UNKNOWN_CODE,
  },
}

/** Whether a step that was blocked for `reasons` tried to send sensitive data. */
export const holdsSession = (reasons: readonly Reason[], evidence: Evidence): boolean =>
  evidence === 'present' &&
  reasons.some(
    ({ source, verdict, liftedBy }) => source === 'line' && verdict === 'block' && liftedBy === undefined,
  )
