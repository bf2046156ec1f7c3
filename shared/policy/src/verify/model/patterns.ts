import {
  type ClaimedLabels,
  type Declassifier,
  type Run,
  type Spec,
  type StepPattern,
  type ToolLabels,
  CAPABILITIES,
  CONFIDENTIALITY_LABELS,
  PATTERN_MEMBERS,
  REVERSIBILITIES,
  matchesTool,
} from '@plimsoll/contracts'

/** A step by its tool and the labels that it has; what its arguments say stands apart. */
export interface LabelledTool {
  readonly tool: string
  readonly labels: ToolLabels
}

/** Whether the part of `pattern` that speaks of tools and labels holds. */
export function matchesLabels(pattern: StepPattern, { tool, labels }: LabelledTool): boolean {
  const { tools, capability, confidentiality, trust, reversibility, tags } = pattern
  if (tools && !tools.some((each) => matchesTool(each, tool))) return false
  if (capability && !capability.includes(labels.capability)) return false
  if (reversibility && !reversibility.includes(labels.reversibility)) return false
  if (trust && !trust.includes(labels.trust ?? 'trusted')) return false
  if (confidentiality && !confidentiality.some((word) => word === labels.confidentiality)) return false
  return !tags || tags.some((tag) => labels.tags?.includes(tag))
}

/** The pattern of the steps that a spec speaks on. */
export const ownPattern = (spec: Spec): StepPattern => bareOf(spec)

/** `pattern` without what stands beside a pattern's members. */
function bareOf(pattern: StepPattern): StepPattern {
  const bare: Record<string, unknown> = {}
  for (const member of PATTERN_MEMBERS) if (pattern[member] !== undefined) bare[member] = pattern[member]
  return bare
}

/** Every pattern by which a spec tells steps apart, those of its flow's declassifiers too. */
export function patternsOfSpec(spec: Spec, declassifiers: readonly Declassifier[]): StepPattern[] {
  const patterns: (StepPattern | undefined)[] = [ownPattern(spec)]
  if (spec.tier === 'mustlist') patterns.push(spec.requires, spec.followedBy?.step)
  else patterns.push(spec.after, spec.before, spec.between?.from, spec.between?.to)
  if ('flow' in spec && spec.flow) {
    const { from, to, declassifiers: named = [] } = spec.flow
    patterns.push(from, to)
    for (const { id, step } of declassifiers) if (named.includes(id)) patterns.push(step)
  }
  return patterns.flatMap((pattern) => (pattern ? [bareOf(pattern)] : []))
}

/** Every pattern of a run: what it goes by first, then what undoes it. */
export function patternsOfRun(run: Run): StepPattern[] {
  if ('endsAfter' in run) return [run.endsAfter, run.without]
  return run.unless ? [...run.sequence, run.unless] : [...run.sequence]
}

/** Texts of the expressions of a spec whose values it counts, not whether they hold. */
export function valueExpressionsOf(spec: Spec): string[] {
  if (!('sum' in spec) && !('distinct' in spec)) return []
  return [spec.sum?.of, spec.distinct?.of].flatMap((text) => (text === undefined ? [] : [text]))
}

/** The higher of each label, tags of both. */
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
