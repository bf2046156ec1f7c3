import {
  type ClaimedLabels,
  type StepPattern,
  type ToolLabels,
  CAPABILITIES,
  CONFIDENTIALITY_LABELS,
  REVERSIBILITIES,
  matchesTool,
} from '@plimsoll/contracts'

/** A step by its tool and its labels, without its arguments. */
export interface LabelledTool {
  readonly tool: string
  readonly labels: ToolLabels
}

/** Whether a pattern's conditions on tools and labels hold. */
export function matchesLabels(pattern: StepPattern, { tool, labels }: LabelledTool): boolean {
  const { tools, capability, confidentiality, trust, reversibility, tags } = pattern
  if (tools && !tools.some((each) => matchesTool(each, tool))) return false
  if (capability && !capability.includes(labels.capability)) return false
  if (reversibility && !reversibility.includes(labels.reversibility)) return false
  if (trust && !trust.includes(labels.trust ?? 'trusted')) return false
  if (confidentiality && !confidentiality.some((word) => word === labels.confidentiality)) return false
  return !tags || tags.some((tag) => labels.tags?.includes(tag))
}

/** The higher of each label, and the tags of both. */
export function joinedLabels(labels: ToolLabels, claims: ClaimedLabels): ToolLabels {
  const confidentiality = higher(CONFIDENTIALITY_LABELS, labels.confidentiality, claims.confidentiality)
  const trust = labels.trust === 'untrusted' || claims.trust === 'untrusted' ? 'untrusted' : labels.trust
  const tags = [...new Set([...(labels.tags ?? []), ...(claims.tags ?? [])])]
  return {
    capability: higher(CAPABILITIES, labels.capability, claims.capability) ?? labels.capability,
    reversibility:
      higher(REVERSIBILITIES, labels.reversibility, claims.reversibility) ?? labels.reversibility,
    ...(confidentiality && { confidentiality }),
    ...(trust && { trust }),
    ...(tags.length > 0 && { tags }),
  }
}

function higher<T extends string>(order: readonly T[], a: T | undefined, b: T | undefined): T | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return order.indexOf(a) >= order.indexOf(b) ? a : b
}

export const isSensitive = ({ confidentiality }: ToolLabels): boolean =>
  confidentiality === 'sensitive' || confidentiality === 'credentials'
