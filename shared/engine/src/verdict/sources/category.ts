import type { Reason } from '@plimsoll/contracts'
import { foundIn } from '../../state/category.js'
import type { StepContext } from '../context.js'

/** Names of categories in a message: a bundle may have many. */
const NAMES_MAX = 8

/** Notes that the session's category has no chain of its own: on its first step, because it holds for all. */
export function categoryReason({ state, stepRisk, rules }: StepContext): Reason | undefined {
  if (state.category === stepRisk.chain.name || state.category === '') return undefined
  if (foundIn(state.category) !== undefined || !isFirstStep(state)) return undefined
  const names = rules.categories.slice(0, NAMES_MAX).map((name) => `\`${name}\``)
  const instead = names.length === 0 ? '' : ` with ${names.join(', ')}, or`
  const message = `the bundle has no category \`${state.category}\`, so all steps are judged by its aggregate: start sessions${instead} without a category, which is then found in the task`
  return { source: 'forward', code: 'category_unknown', verdict: 'allow', message }
}

/** Whether no step of the session was decided or ran before. */
const isFirstStep = ({ steps, blocked, calls }: StepContext['state']): boolean =>
  steps === 0 && blocked === 0 && calls.length === 0
