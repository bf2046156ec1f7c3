import type { Evidence, Reason, Signals, Verdict } from '@plimsoll/contracts'
import { type StepLabels, actsDoneIn, isLocalWork, isProgram } from '../../labels/safety-state.js'
import { ESCALATIONS, REVERSIBILITIES } from '../../labels/words.js'
import { type Matches, countOf, shareOf } from '../../provenance/matches.js'
import type { Rules } from '../../rules.js'
import type { SessionState } from '../../state/session.js'
import type { StepContext } from '../context.js'

const WRITE = ESCALATIONS.indexOf('file_write')
const NETWORK = ESCALATIONS.indexOf('network')
const IRREVERSIBLE = REVERSIBILITIES.indexOf('irreversible')

export interface IntegrityStep {
  readonly state: Pick<
    SessionState,
    'asked' | 'looksOnly' | 'delegates' | 'secretWritten' | 'sendsForOther' | 'sources' | 'taint'
  >
  readonly labels: StepLabels
  readonly matches: Matches | undefined
  readonly signals: Signals | undefined
  readonly effects?: StepContext['effects']
  readonly evidence: Evidence
  readonly rules: Pick<Rules, 'integrity' | 'irreversible'>
}

type Directed = IntegrityStep & { readonly matches: Matches }

/**
 * The integrity line: a step that changes something is directed by other people's text and not by the task. Source: docs/decisions/20261123-integrity.md.
 *
 * - *against the task*: it changes or does what the task forbids, by the limits that the session's record holds;
 * - *by instructions*: an address, account, URL, path or id of the step occurs in text that reads like instructions, and neither in the
 *   task nor in a trusted result; or a name does, and those instructions mention the tool more than the task does; or they name the
 *   tool, and the task asks for no such step. For a request that only reads, its target counts. A program, whose text is full of names,
 *   paths and host-like words, counts if it reaches out or does something irreversible;
 * - *gathered*: a request to a host that only untrusted results name is put together from values of results;
 * - *by untrusted results*: such a value occurs in untrusted results only, and the task does not ask for such a step.
 *
 * Without fingerprints nothing shows who directs a step; an irreversible one is then confirmed by `irreversibleReason`. O(1).
 */
export function integrityReason(step: IntegrityStep): Reason | undefined {
  const { labels, rules } = step
  const { integrity } = rules
  if (!integrity || labels.escalation < WRITE) return undefined
  if (step.signals?.forbidden === 1) return reasonOf('forbidden_by_task', integrity.instructed, BY_LIMIT)
  if (!isFingerprinted(step)) return undefined
  if (isDirectedByInstructions(step)) {
    const isFinal = labels.reversibility >= IRREVERSIBLE
    if (isOwnWork(step) && integrity.instructed !== 'allow')
      return reasonOf('directed_by_instructions', 'warn', AT_SECOND_HAND)
    return reasonOf(
      'directed_by_instructions',
      isFinal ? integrity.irreversible : integrity.instructed,
      BY_INSTRUCTIONS,
    )
  }
  if (isRead(step) && isGathering(step))
    return reasonOf('gathered_for_untrusted', integrity.instructed, BY_GATHERING)
  if (
    isRead(step) ||
    isProgram(step.signals) ||
    identifiersOf(step, 'untrustedOnly') === 0 ||
    isRequestedByTask(step)
  )
    return undefined
  return reasonOf('directed_by_untrusted', integrity.untrusted, BY_UNTRUSTED)
}

const reasonOf = (code: string, verdict: Verdict, message: string): Reason | undefined =>
  verdict === 'allow' ? undefined : { source: 'integrity', code, verdict, message }

const isFingerprinted = (step: IntegrityStep): step is Directed => step.matches !== undefined

/** A file that the task names is written: addresses and links in its text do not say where the step goes. */
const writesNamedFile = ({ labels, matches, signals }: Directed): boolean =>
  labels.escalation === WRITE &&
  labels.reversibility < IRREVERSIBLE &&
  !isProgram(signals) &&
  countOf(matches, 'reference', 'task') > 0 &&
  countOf(matches, 'reference', 'instructedOnly') === 0

/** A text without code is written to a file that the task names: what it quotes of others directs nothing. */
const writesNamedText = ({ labels, matches, signals }: Directed): boolean =>
  signals?.writesFile === 1 &&
  (signals.code ?? 0) === 0 &&
  labels.escalation === WRITE &&
  labels.reversibility < IRREVERSIBLE &&
  !isProgram(signals) &&
  countOf(matches, 'reference', 'task') > 0

/** A request that only reads. */
const isRead = ({ labels }: Directed): boolean => labels.escalation >= NETWORK && labels.reversibility === 0

function isDirectedByInstructions(step: Directed): boolean {
  const { matches, signals, labels } = step
  if (isLocalWork(signals, labels) || writesNamedText(step)) return false
  const isWorking = isProgram(signals) && actsDoneIn(signals) === 0
  if (countOf(matches, 'target', 'instructedOnly') > 0 && !writesNamedFile(step)) return true
  if (isRead(step) || isWorking) return false
  if (countOf(matches, 'reference', 'instructedOnly') > 0) return true
  if (isProgram(signals)) return false
  const byInstructions = shareOf(matches, 'tool', 'instructed')
  if (countOf(matches, 'name', 'instructedOnly') > 0 && byInstructions > shareOf(matches, 'tool', 'task'))
    return true
  return byInstructions === 1 && countOf(matches, 'tool', 'task') === 0 && !isRequestedByTask(step)
}

/**
 * A change of files that can be taken back, where the user leaves to a text what is to be done. The text may say which files, and what names stand
 * in them; not what addresses, accounts and links.
 */
const isOwnWork = ({ state, labels, matches, signals, effects }: Directed): boolean =>
  state.delegates &&
  signals?.writesFile === 1 &&
  countOf(matches, 'target', 'instructedOnly') === 0 &&
  labels.escalation === WRITE &&
  labels.reversibility < IRREVERSIBLE &&
  actsDoneIn(signals) === 0 &&
  (effects === undefined || effects.length === 0)

/** As many values of results in one address are content, not the place of a page. */
const GATHERED_MIN = 4

/** A request to a host that only untrusted text names, whose address was put together from values of results. */
const isGathering = ({ matches }: Directed): boolean => {
  const hosts = countOf(matches, 'target', 'untrustedOnly')
  const values = countOf(matches, 'reference', 'untrustedOnly') + countOf(matches, 'name', 'untrustedOnly')
  return hosts > 0 && countOf(matches, 'target', 'nowhere') > 0 && hosts - 1 + values >= GATHERED_MIN
}

/** Distinctive values without names. */
const identifiersOf = ({ matches }: Directed, origin: 'instructedOnly' | 'untrustedOnly'): number =>
  countOf(matches, 'target', origin) + countOf(matches, 'reference', origin)

/** Whether the task asks for such a step, by its act or by a word of the tool's name. */
function isRequestedByTask({ state, signals, matches }: Directed): boolean {
  const does = actsDoneIn(signals)
  return does === 0 ? countOf(matches, 'tool', 'task') > 0 : (does & state.asked) !== 0
}

const AT_SECOND_HAND = 'this step follows a text that the task says to follow'
const BY_GATHERING = 'this request takes values of several results to a host that only untrusted text names'
const BY_LIMIT = 'this step does what the task forbids'
const BY_INSTRUCTIONS = 'this step follows text that reads like instructions, not the task'
const BY_UNTRUSTED =
  'the recipient or target of this step comes from untrusted results only, and the task does not ask for such a step'
