import type { ClaimedLabels, Taint, ToolLabels } from '@plimsoll/contracts'
import type { SensitiveFindings } from './content/sensitive.js'

/** An entry without `trust` is of unknown trust. */
export const isTrusted = (labels: ToolLabels | undefined): boolean => labels?.trust === 'trusted'

/** How reading the result taints the session; undefined if it does not. */
export function taintOf(labels: ToolLabels | undefined, isInstructing: boolean): Taint | undefined {
  if (isTrusted(labels)) return undefined
  if (isInstructing) return 'instructions'
  return labels?.trust === 'untrusted' ? 'data' : undefined
}

/** What the detectors say of a result; undefined if they found nothing. */
export function claimsOf({ confidentiality, tags }: SensitiveFindings): ClaimedLabels | undefined {
  if (!confidentiality && tags.length === 0) return undefined
  return { ...(confidentiality && { confidentiality }), ...(tags.length > 0 && { tags: [...tags] }) }
}
