import { type Decision, type SignalName, ESCALATIONS } from '@plimsoll/contracts'
import { type Matches, type StepReport, countOf } from '@plimsoll/engine'

/**
 * What the readers of a step leave open:
 *
 * - `incomplete_report`: its texts were not reported, or not wholly
 * - `code_not_understood`: it runs or sends something that its arguments do not show, or that no reader understood
 * - `evidence_unknown`: it is at the line, and whether it carries sensitive data is unknown
 * - `stand_in_labels`: no catalogue labels its tool, and its name does not say that it only reads
 * - `unseen_values`: it changes something, and a recipient, an account, a link, a path or an id of it was seen nowhere before
 * - `warned`: something counts against it, such as a hazard between its thresholds, and no approval is requested
 */
export const AMBIGUITIES = [
  'incomplete_report',
  'code_not_understood',
  'evidence_unknown',
  'stand_in_labels',
  'unseen_values',
  'warned',
] as const
export type Ambiguity = (typeof AMBIGUITIES)[number]

/** The client's report of a step, matched with the session. */
export type ReadStep = Pick<StepReport, 'labels' | 'lineEvidence' | 'matches' | 'signals'>

/**
 * Why a step is ambiguous, from what client and engine report alone; empty if it is not. A blocked step is not ambiguous: nothing open
 * would change its answer. O(reasons).
 */
export function ambiguitiesOf(
  step: ReadStep,
  decision: Pick<Decision, 'verdict' | 'reasons'>,
): readonly Ambiguity[] {
  return decision.verdict === 'block' ? [] : AMBIGUITIES.filter((name) => TESTS[name](step, decision))
}

type Test = (step: ReadStep, decision: Pick<Decision, 'verdict' | 'reasons'>) => boolean

const isSet = ({ signals }: ReadStep, name: SignalName): boolean => (signals?.[name] ?? 0) > 0
const isChanging = ({ labels }: ReadStep): boolean => labels.escalation > READ_ONLY

const READ_ONLY = ESCALATIONS.indexOf('read_only')
const EXECUTE = ESCALATIONS.indexOf('code_exec')

/** Without names: any short text counts as one. */
const identifiersNowhere = (matches: Matches): number =>
  countOf(matches, 'target', 'nowhere') + countOf(matches, 'reference', 'nowhere')

const TESTS: Readonly<Record<Ambiguity, Test>> = {
  incomplete_report: (step) => isChanging(step) && (!step.matches || isSet(step, 'partial')),
  code_not_understood: (step) =>
    isSet(step, 'unreadable') || (step.labels.escalation >= EXECUTE && !isSet(step, 'complete')),
  evidence_unknown: ({ lineEvidence }, { reasons }) =>
    lineEvidence === 'unknown' && reasons.some(({ source }) => source === 'line'),
  stand_in_labels: (_, { reasons }) =>
    reasons.some(({ source, verdict }) => source === 'unlabelled' && verdict !== 'allow'),
  unseen_values: (step) =>
    isChanging(step) && step.matches !== undefined && identifiersNowhere(step.matches) > 0,
  warned: (_, { verdict }) => verdict === 'warn',
}
