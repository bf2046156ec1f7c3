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
  if (labels.escalation > byName.escalation || labels.reversibility > byName.reversibility) return undefined
  if (byName.escalation < WRITE) return actsDoneIn(signals) === 0 ? 'reads' : undefined
  return isSmallChange(context) ? 'changes' : undefined
}

const isSmallChange = (context: StepContext): boolean =>
  (context.labels.reversibility < IRREVERSIBLE || isOrdered(context)) &&
  !isLasting(actsDoneIn(context.signals)) &&
  !(context.state.looksOnly && context.state.asked === 0)

/**
 * Whether the task asks for the act, in two of the words of the tool's name (*delete the group*), and itself has an id or an address that the step is
 * given, or a name of the record, and no other is of untrusted results alone.
 */
const isOrdered = (context: StepContext): boolean =>
  context.matches !== undefined &&
  countOf(context.matches, 'tool', 'task') >= 2 &&
  (countOf(context.matches, 'target', 'task') + countOf(context.matches, 'reference', 'task') > 0 ||
    context.effects?.some(({ object, relation }) => object === 'record' && relation === 'named') === true) &&
  countOf(context.matches, 'target', 'untrustedOnly') === 0 &&
  irreversibleReason(context) === undefined

const WRITE = ESCALATIONS.indexOf('file_write')
const IRREVERSIBLE = REVERSIBILITIES.indexOf('irreversible')
