import type { Reason } from '@plimsoll/contracts'
import { actsDoneIn, isGiving, isLasting, isProgram } from '../../labels/safety-state.js'
import { ACTS, ESCALATIONS, REVERSIBILITIES } from '../../labels/words.js'
import { type Matches, countOf } from '../../provenance/matches.js'
import type { IntegrityStep } from './integrity.js'

const WRITE = ESCALATIONS.indexOf('file_write')
const BY_NAME = (1 << ACTS.indexOf('grant')) | (1 << ACTS.indexOf('publish'))
const IRREVERSIBLE = REVERSIBILITIES.indexOf('irreversible')

/**
 * A step that is irreversible, or that pays, grants or changes a secret, and that the task does not ask for. The task asks for it if it
 * mentions such an act, and names what the act is done to where that is known; for a payment or a grant every recipient must also have been seen before. A program without known irreversible
 * acts is excluded, unless it runs a script of the session that does one: what its text hides is for the line. Source: docs/decisions/20261123-integrity.md. O(1).
 */
export function irreversibleReason(step: IntegrityStep): Reason | undefined {
  const { state, labels, matches, signals, rules } = step
  const { irreversible: verdict } = rules
  const does = actsDoneIn(signals)
  if (!verdict || verdict === 'allow' || labels.escalation < WRITE) return undefined
  if (signals?.scripted === 1)
    return { source: 'irreversible', code: 'irreversible_not_asked', verdict, message: BY_SCRIPT }
  if (signals?.exposes === 1 && step.evidence === 'present')
    return { source: 'irreversible', code: 'irreversible_not_asked', verdict, message: SECRET_WRITTEN }
  const isFinal = labels.reversibility >= IRREVERSIBLE
  if (!isFinal && (labels.reversibility === 0 || !isLasting(does))) return undefined
  if (does === 0 && isProgram(signals)) return undefined
  const isNamed = (signals?.unnamed ?? 0) === 0
  // A task about the pipelines of a project, or about a host, asks for changes of them.
  if (isNamed && does !== 0 && (does & ~state.asked & ~BY_NAME) === 0 && (signals?.byName ?? 0) > 0)
    return undefined
  const isRequested = does !== 0 && (does & ~state.asked) === 0 && isNamed
  if (isRequested && !(isFinal && isGiving(does) && hasUnseenTarget(matches))) return undefined
  const message = isRequested ? UNSEEN_TARGET : isNamed ? NOT_REQUESTED : NOT_NAMED
  return { source: 'irreversible', code: 'irreversible_not_asked', verdict, message }
}

/** Whether a recipient of the step was seen nowhere before; also true without a report. */
const hasUnseenTarget = (matches: Matches | undefined): boolean =>
  !matches || countOf(matches, 'target', 'nowhere') > 0

const NOT_REQUESTED = 'this step cannot be taken back, and the task does not ask for it'
const NOT_NAMED = 'this step cannot be taken back, and the task does not name what it is done to'
const SECRET_WRITTEN = 'a secret that this session has read is written into a file that is not one of secrets'
const BY_SCRIPT =
  'a script that this session wrote does what cannot be taken back and the task does not ask for'
const UNSEEN_TARGET = 'this step cannot be undone, and one of its recipients was never seen before'
