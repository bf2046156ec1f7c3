import type { Evidence, Signals } from '@plimsoll/contracts'
import { type StepLabels, SENSITIVE, SENSITIVE_EXPOSURE, exposureOf } from '../labels/safety-state.js'
import { type Matches, countOf, distinctiveShare } from '../provenance/matches.js'
import { isBlind } from '../provenance/sources.js'
import type { SessionState } from './session.js'

/** This many stretches of sensitive text in the arguments are no coincidence. */
export const GRAMS_MIN = 3
/** A recipient and their name may well come from what was read; more than that is content. */
const VALUES_MIN = 3

/**
 * Whether sensitive data that the session has read is in a step's arguments, as far as fingerprints show. Only values that the task does
 * not name count, and words never do.
 *
 * - `present`: an id or a path, three stretches of text, or three values of any kind.
 * - `absent`: the arguments hold everything the step runs and sends, and were understood; they have distinctive values or text, all
 *   reported; none was seen in sensitive data; and all sensitive data that was read is in the sources.
 * - `unknown`: everything else, including a lone recipient or account that also occurs in sensitive data.
 */
export function evidenceOf(
  state: SessionState,
  matches: Matches | undefined,
  signals: Signals | undefined,
): Evidence {
  if (!matches) return 'unknown'
  const grams = countOf(matches, 'gram', 'sensitiveOnly')
  const values = distinctiveShare(matches, 'sensitiveOnly')
  if (countOf(matches, 'reference', 'sensitiveOnly') > 0 || grams >= GRAMS_MIN || values >= VALUES_MIN)
    return 'present'
  const hasEvidence = distinctiveShare(matches, 'total') + countOf(matches, 'gram', 'total') > 0
  const isFullyReported = isComplete(signals) && !isIncomplete(signals) && !sendsRecords(matches, signals)
  return hasEvidence && grams + values === 0 && isFullyReported && !mayHoldUnlistedData(state)
    ? 'absent'
    : 'unknown'
}

/** Whether the line judges the step: something sensitive was read, the step reads it, or it pushes files with a secret that was written. */
export const isAtTheLine = (
  { safety, held, secretWritten }: Pick<SessionState, 'safety' | 'held' | 'secretWritten'>,
  { exposure }: Pick<StepLabels, 'exposure'>,
  signals: Signals | undefined,
): boolean =>
  held ||
  Math.max(exposureOf(safety), exposure) >= SENSITIVE_EXPOSURE ||
  (secretWritten && signals?.pushes === 1)

/**
 * Whether the arguments hold everything the step runs and sends, and the client understood them. No report means no: references,
 * run-time input and code that is not understood can hold anything.
 */
export const isComplete = (signals: Signals | undefined): boolean => (signals?.['complete'] ?? 0) === 1

/** Whether the task names every recipient and place of the step. */
export const areTargetsNamed = (matches: Matches): boolean =>
  countOf(matches, 'target', 'task') > 0 &&
  countOf(matches, 'target', 'task') === countOf(matches, 'target', 'total')

/** Whether the arguments name files or records whose content may leave with the step, unless the task names all of them. */
export function sendsRecords(matches: Matches | undefined, signals: Signals | undefined): boolean {
  if ((signals?.['records'] ?? 0) === 0) return false
  if (!matches) return true
  const named = countOf(matches, 'reference', 'task')
  return named === 0 || named < countOf(matches, 'reference', 'total')
}

/** Whether the agent may know sensitive data that is not in the sources: some was forgotten, or a result is still to come. */
export function mayHoldUnlistedData({ sources, calls }: Pick<SessionState, 'sources' | 'calls'>): boolean {
  return isBlind(sources) || calls.some((call) => call.status === 'open' && (call.source & SENSITIVE) !== 0)
}

/** Whether a list of fingerprints is incomplete, as its client reports, or holds values that cannot be read. */
export const isIncomplete = (signals: Signals | undefined): boolean =>
  (signals?.['partial'] ?? 0) > 0 || (signals?.['opaque'] ?? 0) > 0

/**
 * Whether anything seen only in untrusted results is in a step's arguments. `absent`: the report is complete, each distinctive value is
 * in the task or in a trusted result, and no stretch of untrusted text is among them.
 */
export function untrustedEvidenceOf(matches: Matches | undefined, signals: Signals | undefined): Evidence {
  if (!matches) return 'unknown'
  const unvouched = distinctiveShare(matches, 'untrustedOnly') + countOf(matches, 'gram', 'untrustedOnly')
  if (unvouched > 0) return 'present'
  const hasEvidence = distinctiveShare(matches, 'total') > 0
  return hasEvidence && distinctiveShare(matches, 'nowhere') === 0 && !isIncomplete(signals)
    ? 'absent'
    : 'unknown'
}
