import type { ClaimedLabels, Taint, ToolLabels } from '@plimsoll/contracts'
import type { SensitiveFindings } from './content/sensitive.js'
import { sensitiveByName } from './tools/by-name.js'

/** An entry without `trust` is of unknown trust. */
export const isTrusted = (labels: ToolLabels | undefined): boolean => labels?.trust === 'trusted'

/** A tool without an entry may return anything. */
export const WORST: ClaimedLabels = { confidentiality: 'credentials' }
export const isSensitive = ({ confidentiality }: ClaimedLabels): boolean =>
  confidentiality === 'sensitive' || confidentiality === 'credentials'

/** How reading the result taints the session; undefined if it does not. */
export function taintOf(labels: ToolLabels | undefined, isInstructing: boolean): Taint | undefined {
  if (isTrusted(labels)) return undefined
  if (isInstructing) return 'instructions'
  return labels?.trust === 'untrusted' ? 'data' : undefined
}

export function claimsOf({ confidentiality, tags }: SensitiveFindings): ClaimedLabels | undefined {
  if (!confidentiality && tags.length === 0) return undefined
  return { ...(confidentiality && { confidentiality }), ...(tags.length > 0 && { tags: [...tags] }) }
}

/** What a result holds of a tool that nothing labels: also what the tool's name says that it reads, such as mail or a balance. */
export function withName(tool: string, found: SensitiveFindings): SensitiveFindings {
  const named = sensitiveByName(tool)
  return named && found.confidentiality !== 'credentials' ? { ...found, confidentiality: named } : found
}
