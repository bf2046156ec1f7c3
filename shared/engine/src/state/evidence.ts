import type { Evidence, Signals } from '@plimsoll/contracts'
import { SENSITIVE, TASK } from '../labels/safety-state.js'
import { type Matches, countOf, distinctiveShare } from '../provenance/matches.js'
import { LOOKED_UP_MAX, isBlind, lookUpSources } from '../provenance/sources.js'
import type { SessionState } from './session.js'

/** So many stretches of sensitive text in the arguments are no chance. */
const GRAMS_MIN = 3
/** A recipient may well come from what was read, with his name; more than that is what is sent. */
const VALUES_MIN = 3

/**
 * Whether sensitive data that the session has read is in a step's arguments, as far as fingerprints tell. Only what the task does not
 * name itself counts, and words never do.
 *
 * - `present`: an id or a path, three stretches of text, or three values of any kind.
 * - `absent`: all that the step runs and sends stands in its arguments and was understood, they have distinctive values or text, all of
 *   which is reported, none of it was seen in sensitive data, and all sensitive data that was read is among the sources.
 * - `unknown`: everything else; so also a lone recipient or account that stands in sensitive data.
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
  const isTelling = distinctiveShare(matches, 'total') + countOf(matches, 'gram', 'total') > 0
  const isAllKnown = isComplete(signals) && !isIncomplete(signals) && !sendsRecords(matches, signals)
  return isTelling && grams + values === 0 && isAllKnown && !mayHoldUnlistedData(state) ? 'absent' : 'unknown'
}

/**
 * Whether all that the step runs and sends stands in its arguments and was understood, as its client reports. Nothing reported is no: what
 * goes by reference, what only the run decides and code that is not understood may hold anything.
 */
export const isComplete = (signals: Signals | undefined): boolean => (signals?.['complete'] ?? 0) === 1

/** Whether the task names everybody and every place that the step goes to. */
export const areTargetsNamed = (matches: Matches): boolean =>
  countOf(matches, 'target', 'task') > 0 &&
  countOf(matches, 'target', 'task') === countOf(matches, 'target', 'total')

/** Whether the arguments name files or records whose content may leave with the step, and the task does not name every one of them. */
export function sendsRecords(matches: Matches | undefined, signals: Signals | undefined): boolean {
  if ((signals?.['records'] ?? 0) === 0) return false
  if (!matches) return true
  const named = countOf(matches, 'reference', 'task')
  return named === 0 || named < countOf(matches, 'reference', 'total')
}

const FOUND = new Uint8Array(LOOKED_UP_MAX)

/**
 * The same for a request that can be taken back (DESIGN §4, 4a): a booking, an invitation, a search. Whom or what it is about is no content:
 * a record goes back to where it came from by its id, a link that was read is followed. So `addressed` do not count.
 *
 * A payment is judged alike: whom it goes to, how much and when is no content, and what it is for may be named.
 *
 * - `present`: an account, an id or a path within its content, or three stretches of text.
 * - `absent`: as above, also where it has no content at all.
 *
 * @param namesMax names, addresses and links of its content that may stand in sensitive data, and it is absent all the same
 */
export function requestEvidenceOf(
  state: SessionState,
  matches: Matches,
  fingerprints: readonly string[],
  addressed: readonly string[],
  signals: Signals | undefined,
  namesMax = 0,
): Evidence {
  const about = new Set(addressed.map(bitsOf))
  lookUpSources(state.sources, fingerprints, FOUND)
  const count = Math.min(fingerprints.length, LOOKED_UP_MAX)
  let [identifiers, grams, others] = [0, 0, 0]
  for (let i = 0; i < count; i++) {
    const bits = FOUND[i] ?? 0
    const fingerprint = fingerprints[i] ?? ''
    if ((bits & SENSITIVE) === 0 || (bits & TASK) !== 0 || about.has(bitsOf(fingerprint))) continue
    const letter = fingerprint.charAt(0)
    if (IDENTIFIERS.includes(letter)) identifiers++
    else if (letter === 'g') grams++
    else if (NAMES.includes(letter)) others++
  }
  if (identifiers > 0 || grams >= GRAMS_MIN) return 'present'
  const isAllKnown = isComplete(signals) && !isIncomplete(signals) && !sendsRecords(matches, signals)
  return grams === 0 && others <= namesMax && isAllKnown && !mayHoldUnlistedData(state) ? 'absent' : 'unknown'
}

const IDENTIFIERS = 'cip'
const NAMES = 'aun'
const bitsOf = (fingerprint: string): string => fingerprint.slice(1)

/** Whether the agent may know sensitive data that is not among the sources: some are gone, or a result is still to come. */
function mayHoldUnlistedData({ sources, calls }: SessionState): boolean {
  return isBlind(sources) || calls.some((call) => call.status === 'open' && (call.source & SENSITIVE) !== 0)
}

/** Whether a list of fingerprints passes over something of its text, as its client says. */
export const isIncomplete = (signals: Signals | undefined): boolean => (signals?.['partial'] ?? 0) > 0

/**
 * Whether anything that was seen in untrusted results alone is in a step's arguments. `absent`: all of them is told, each distinctive value stands in the
 * task or in a trusted result, and no stretch of untrusted text is among them.
 */
export function untrustedEvidenceOf(matches: Matches | undefined, signals: Signals | undefined): Evidence {
  if (!matches) return 'unknown'
  const unvouched = distinctiveShare(matches, 'untrustedOnly') + countOf(matches, 'gram', 'untrustedOnly')
  if (unvouched > 0) return 'present'
  const isTelling = distinctiveShare(matches, 'total') > 0
  return isTelling && distinctiveShare(matches, 'nowhere') === 0 && !isIncomplete(signals)
    ? 'absent'
    : 'unknown'
}
