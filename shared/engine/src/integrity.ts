import type { Reason, Signals, Verdict } from '@plimsoll/contracts'
import { actsDoneIn, isGiving, isLasting, isLocalWork, isProgram } from './acts.js'
import { countOf, shareOf, type Matches } from './matches.js'
import type { Rules } from './rules.js'
import type { StepLabels } from './safety-state.js'
import type { SessionState } from './session.js'
import { ESCALATIONS, REVERSIBILITIES } from './words.js'

const WRITE = ESCALATIONS.indexOf('file_write')
const NETWORK = ESCALATIONS.indexOf('network')
const IRREVERSIBLE = REVERSIBILITIES.indexOf('irreversible')

export interface IntegrityStep {
  readonly state: Pick<SessionState, 'asked'>
  readonly labels: StepLabels
  readonly matches: Matches | undefined
  readonly signals: Signals | undefined
  readonly rules: Pick<Rules, 'integrity' | 'irreversible'>
}

type Directed = IntegrityStep & { readonly matches: Matches }

/**
 * The line of integrity: a step that changes something is directed by text of others and not by the task. Source: DESIGN §4, 4a′.
 *
 * - *by instructions*: an address, account, URL, path or id of the step stands in text that reads like instructions, and neither in the task
 *   nor in a trusted result; so does a name, where those instructions speak of the tool more than the task does; or they name the tool, and
 *   the task asks for no such step. Of a request that only reads, its place counts. A program, whose text is full of names, paths and what looks
 *   like hosts, counts where it reaches out or does something for good;
 * - *by untrusted results*: such a value stands in untrusted results alone, and the task does not ask for such a step.
 *
 * Without fingerprints nothing says who directs a step; one that cannot be taken back is then asked about by `irreversibleReason`. O(1).
 */
export function integrityReason(step: IntegrityStep): Reason | undefined {
  const { labels, rules } = step
  const { integrity } = rules
  if (!integrity || labels.escalation < WRITE || !isFingerprinted(step)) return undefined
  if (isDirectedByInstructions(step)) {
    const isFinal = labels.reversibility >= IRREVERSIBLE
    return reasonOf(
      'directed_by_instructions',
      isFinal ? integrity.irreversible : integrity.instructed,
      BY_INSTRUCTIONS,
    )
  }
  if (
    isRead(step) ||
    isProgram(step.signals) ||
    identifiersOf(step, 'untrustedOnly') === 0 ||
    isAskedFor(step)
  )
    return undefined
  return reasonOf('directed_by_untrusted', integrity.untrusted, BY_UNTRUSTED)
}

const reasonOf = (code: string, verdict: Verdict, message: string): Reason | undefined =>
  verdict === 'allow' ? undefined : { source: 'integrity', code, verdict, message }

const isFingerprinted = (step: IntegrityStep): step is Directed => step.matches !== undefined

/** A request that only reads. */
const isRead = ({ labels }: Directed): boolean => labels.escalation >= NETWORK && labels.reversibility === 0

function isDirectedByInstructions(step: Directed): boolean {
  const { matches, signals, labels } = step
  if (isLocalWork(signals, labels)) return false
  const isWorking = isProgram(signals) && actsDoneIn(signals) === 0
  if (countOf(matches, 'target', 'instructedOnly') > 0) return true
  if (isRead(step) || isWorking) return false
  if (countOf(matches, 'reference', 'instructedOnly') > 0) return true
  if (isProgram(signals)) return false
  const byInstructions = shareOf(matches, 'tool', 'instructed')
  if (countOf(matches, 'name', 'instructedOnly') > 0 && byInstructions > shareOf(matches, 'tool', 'task'))
    return true
  return byInstructions === 1 && countOf(matches, 'tool', 'task') === 0 && !isAskedFor(step)
}

/** Values that say whom or what a step is about, names left out. */
const identifiersOf = ({ matches }: Directed, origin: 'instructedOnly' | 'untrustedOnly'): number =>
  countOf(matches, 'target', origin) + countOf(matches, 'reference', origin)

/** Whether the task asks for such a step: for what it does, or by a word of the tool's name. */
function isAskedFor({ state, signals, matches }: Directed): boolean {
  const does = actsDoneIn(signals)
  return does === 0 ? countOf(matches, 'tool', 'task') > 0 : (does & state.asked) !== 0
}

/**
 * A step that cannot be taken back, or that pays, grants or changes a secret, and that the task does not ask for. The task asks for it where it speaks of such an act; of a payment or a
 * grant also everybody who gets it was seen before. A program of which nothing is known that cannot be taken back is not meant: what its
 * text hides is for the line. Source: docs/decisions/20261123-integrity.md. O(1).
 */
export function irreversibleReason(step: IntegrityStep): Reason | undefined {
  const { state, labels, matches, signals, rules } = step
  const { irreversible: verdict } = rules
  const does = actsDoneIn(signals)
  if (!verdict || verdict === 'allow' || labels.escalation < WRITE) return undefined
  const isFinal = labels.reversibility >= IRREVERSIBLE
  if (!isFinal && (labels.reversibility === 0 || !isLasting(does))) return undefined
  if (does === 0 && isProgram(signals)) return undefined
  const isAsked = does !== 0 && (does & ~state.asked) === 0
  if (isAsked && !(isFinal && isGiving(does) && goesToUnseen(matches))) return undefined
  const message = isAsked ? UNSEEN : NOT_ASKED
  return { source: 'irreversible', code: 'irreversible_not_asked', verdict, message }
}

/** Whether somebody whom the step goes to was seen nowhere before; also where nothing is known of it. */
const goesToUnseen = (matches: Matches | undefined): boolean =>
  !matches || countOf(matches, 'target', 'nowhere') > 0

const BY_INSTRUCTIONS = 'this step follows text that reads like instructions, not the task'
const BY_UNTRUSTED =
  'whom or what this step is about comes from untrusted results alone, and the task does not ask for such a step'
const NOT_ASKED = 'this step cannot be taken back, and the task does not ask for it'
const UNSEEN = 'this step cannot be taken back, and somebody whom it goes to was seen nowhere before'
