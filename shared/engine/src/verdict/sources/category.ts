import type { Reason } from '@plimsoll/contracts'
import { foundIn } from '../../state/category.js'
import type { StepContext } from '../context.js'

/** Notes that the session's category has no chain of its own. */
export function categoryReason({ state, stepRisk }: StepContext): Reason | undefined {
  if (state.category === stepRisk.chain.name || state.category === '') return undefined
  if (foundIn(state.category) !== undefined) return undefined
  const message = `the bundle has no chain for \`${state.category}\`; the aggregate was read`
  return { source: 'forward', code: 'category_unknown', verdict: 'allow', message }
}
