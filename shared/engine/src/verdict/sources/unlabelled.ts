import type { Reason } from '@plimsoll/contracts'
import { refinedOf } from '../../labels/refined.js'
import { actsDoneIn } from '../../labels/safety-state.js'
import type { StepContext } from '../context.js'

/**
 * An unlabelled tool is confirmed unless its name says that it only reads. Its results count as the policy's `unlabelled` labels say in
 * any case.
 */
export function unlabelledReason(context: StepContext): Reason | undefined {
  const { state, rule, labelled, rules, tool } = context
  if (labelled || rule.isNamed) return undefined
  if (refinedOf(state.refined, tool)?.replaces) {
    const message = `no catalogue labels the tool \`${tool}\`; it is taken for what a judge made of it`
    return { source: 'unlabelled', code: 'tool_refined', verdict: 'allow', message }
  }
  const isRead = isPlainRead(context)
  const verdict = isRead ? 'allow' : rules.unlabelled.verdict
  const message = `no catalogue labels the tool \`${tool}\`${isRead ? '; by its name it only reads' : ''}`
  return { source: 'unlabelled', code: 'tool_unlabelled', verdict, message }
}

/** Whether the tool counts as a read, and the client found nothing else in the arguments. */
function isPlainRead({ rule: { readAs }, labels, signals }: StepContext): boolean {
  if (!readAs || actsDoneIn(signals) !== 0) return false
  return labels.escalation <= readAs.escalation && labels.reversibility <= readAs.reversibility
}
