import type { Reason } from '@plimsoll/contracts'
import { refinedOf } from '../../labels/refined.js'
import { actsDoneIn, isLasting } from '../../labels/safety-state.js'
import { ESCALATIONS, REVERSIBILITIES } from '../../labels/words.js'
import { countOf } from '../../provenance/matches.js'
import type { StepContext } from '../context.js'
import { irreversibleReason } from './irreversible.js'

/**
 * An unlabelled tool is confirmed, unless its name says that it only reads, or plainly says what it changes and the policy asks less of
 * those. Its results count as the policy's `unlabelled` labels say in any case. Source: docs/decisions/20261129-names-of-tools.md.
 */
export function unlabelledReason(context: StepContext): Reason | undefined {
  const { state, rule, labelled, rules, tool } = context
  if (labelled || rule.isNamed) return undefined
  if (refinedOf(state.refined, tool)?.replaces) {
    const message = `no catalogue labels the tool \`${tool}\`; it is taken for what a judge made of it`
    return { source: 'unlabelled', code: 'tool_refined', verdict: 'allow', message }
  }
  const { verdict: asked, byName = asked } = rules.unlabelled
  const plain = plainName(context)
  const isRead = context.labels.escalation < WRITE
  const verdict = plain === undefined ? asked : isRead ? 'allow' : byName
  const message = `no catalogue labels the tool \`${tool}\`${plain === undefined ? '' : SAYS[plain]}`
  return { source: 'unlabelled', code: 'tool_unlabelled', verdict, message }
}

const SAYS = {
  reads: '; by its name it only reads',
  changes: '; it counts as what its name says',
  runs: '; by its name it runs what it is given, which was understood',
} as const

/**
 * What the tool's name says, if the client found nothing worse in the arguments; of a program, if it was understood. A name is enough only for
 * what can be taken back, in a session that shall change something.
 */
function plainName(context: StepContext): keyof typeof SAYS | undefined {
  const { rule, labels, derived, signals } = context
  const { byName, least } = rule
  if (!byName) return undefined
  if (least) return derived ? 'runs' : undefined
  const isReading = byName.escalation < WRITE
  // A tool that reads may be given where: what the request carries is for the line.
  const isFetch = isReading && labels.escalation === NETWORK
  if (labels.reversibility > byName.reversibility) return undefined
  if (labels.escalation > byName.escalation && !isFetch) return undefined
  if (isReading) return actsDoneIn(signals) === 0 ? 'reads' : undefined
  return isSmallChange(context) ? 'changes' : undefined
}

const isSmallChange = (context: StepContext): boolean =>
  (isLasting(actsDoneIn(context.signals))
    ? isGivenAsOrdered(context)
    : context.labels.reversibility < IRREVERSIBLE || isOrdered(context)) &&
  !(context.state.looksOnly && context.state.asked === 0)

/**
 * Whether the task asks for the act, and names the record by another name, or has an id or an address that the step is given and two of the
 * words of the tool's name (*delete the group*), and no target is of untrusted results alone.
 */
const isOrdered = (context: StepContext): boolean =>
  context.matches !== undefined &&
  (isOfNamedRecord(context)
    ? goesToKnown(context)
    : countOf(context.matches, 'tool', 'task') >= 2 &&
      countOf(context.matches, 'target', 'task') + countOf(context.matches, 'reference', 'task') > 0 &&
      countOf(context.matches, 'target', 'untrustedOnly') === 0) &&
  irreversibleReason(context) === undefined

/** Whether no text of others alone says where a step goes, but for people whom the task names. */
const goesToKnown = ({ matches, signals }: StepContext): boolean =>
  signals?.toNamed === 1 || (matches !== undefined && countOf(matches, 'target', 'untrustedOnly') === 0)

/**
 * Whether the task asks for access, and names its object as a list showed it, and its recipient. Ids that only text of others has are those of
 * the records. A payment is none: how much a task means is not always known. What is wrong with a recipient has a reason of its own.
 */
const isGivenAsOrdered = (context: StepContext): boolean => {
  const { matches, signals, effects = [] } = context
  const records = effects.filter(({ object }) => object === 'record').length
  return (
    matches !== undefined &&
    isOfNamedRecord(context) &&
    goesToKnown(context) &&
    (signals?.toNamed === 1 || (signals?.strangers ?? 0) === 0) &&
    countOf(matches, 'reference', 'untrustedOnly') <= records &&
    (signals?.doesPay ?? 0) === 0 &&
    irreversibleReason(context) === undefined
  )
}

const isOfNamedRecord = ({ effects = [] }: StepContext): boolean => {
  const records = effects.filter(({ object }) => object === 'record')
  return records.length > 0 && records.every(({ relation }) => relation === 'named')
}

const WRITE = ESCALATIONS.indexOf('file_write')
const NETWORK = ESCALATIONS.indexOf('network')
const IRREVERSIBLE = REVERSIBILITIES.indexOf('irreversible')
