import type { Evidence } from '@plimsoll/contracts'
import { SENSITIVE_EXPOSURE, exposureOf } from '../../labels/safety-state.js'
import { type Matches, countOf, distinctiveShare } from '../../provenance/matches.js'
import type { Rules } from '../../rules.js'
import { isComplete, isIncomplete, mayHoldUnlistedData, sendsRecords } from '../../state/evidence.js'
import type { SessionState } from '../../state/session.js'
import type { Outlet, OutletStep } from './outlet.js'

/** What the line looks at. */
export interface LineStep extends OutletStep {
  readonly state: Pick<
    SessionState,
    'safety' | 'held' | 'codeWritten' | 'secretWritten' | 'sources' | 'calls'
  >
  readonly lineEvidence: Evidence
  readonly matches: Matches | undefined
  readonly rules: Pick<Rules, 'line'>
}

/** Why it is not known whether a step carries sensitive data. */
type Cause = 'reads' | 'file' | 'unreadable' | 'read' | 'forgotten' | 'host'

const UNKNOWN: Readonly<Record<Cause, string>> = {
  reads: 'this step sends what it reads itself, which may be sensitive',
  file: 'this step sends a file or record, which may hold sensitive data',
  unreadable: 'sensitive data was read, and what this step sends cannot all be read',
  read: 'this step sends words or names that stand in sensitive data',
  forgotten: 'this step may send sensitive data: not all that was read is remembered',
  host: 'sensitive data was read, and this step goes where nobody named',
}

const PRESENT: Readonly<Record<Outlet, string>> = {
  sends: 'this step carries sensitive data that the session has read',
  request: 'this request carries sensitive data that the session has read',
  code: 'a program that is not understood is given sensitive data that was read',
}

const ABSENT = 'this step sends something, but none of the sensitive data that was read'
const PUSHED = 'this step sends files that the session changed, which may hold sensitive data'
const CODE = 'a program that is not understood may send sensitive data that was read'
const CODE_READS = 'a program that is not understood may send sensitive data that it reads'

/** What the line says of a step, in at most 14 words. */
export function lineMessage(outlet: Outlet, evidence: Evidence, step: LineStep): string {
  if (evidence === 'present') return PRESENT[outlet]
  if (evidence === 'unknown' && step.signals?.pushes === 1) return PUSHED
  if (outlet === 'code') return hasRead(step) ? CODE : CODE_READS
  return evidence === 'absent' ? ABSENT : UNKNOWN[causeOf(step)]
}

const hasRead = ({ state }: LineStep): boolean => exposureOf(state.safety) >= SENSITIVE_EXPOSURE

function causeOf(step: LineStep): Cause {
  const { state, matches, signals } = step
  if (!hasRead(step)) return 'reads'
  if (sendsRecords(matches, signals)) return 'file'
  if (!isComplete(signals) || isIncomplete(signals)) return 'unreadable'
  const read = matches
    ? distinctiveShare(matches, 'sensitiveOnly') + countOf(matches, 'gram', 'sensitiveOnly')
    : 0
  if (read > 0) return 'read'
  return mayHoldUnlistedData(state) ? 'forgotten' : 'host'
}
