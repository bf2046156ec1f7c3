import { matchesTool, type CatalogueEntry, type Spec } from '@plimsoll/contracts'
import { joinLabels, stepLabelsOf, type AllowRule, type SpecRule, type ToolRule } from '@plimsoll/engine'
import type { EntryFinder } from '@plimsoll/labels'

/** Tools whose rule is kept; beyond it the oldest is forgotten, and worked out again when it comes. */
const TOOLS_MAX = 4096

/** Specs of one tier that speak on a tool; further ones could only repeat the verdict, and a decision must stay bounded. */
const SPECS_PER_TIER_MAX = 32

/**
 * A look-up from a tool's name to everything that is known of it. Patterns are matched once a name; after that it is one map read.
 */
export function compileTools(specs: readonly Spec[], entryOf: EntryFinder): (tool: string) => ToolRule {
  const known = new Map<string, ToolRule>()
  return (tool) => {
    const found = known.get(tool)
    if (found) return found
    const rule = ruleOf(tool, specs, entryOf)
    if (known.size >= TOOLS_MAX) for (const oldest of known.keys()) if (known.delete(oldest)) break
    known.set(tool, rule)
    return rule
  }
}

function ruleOf(tool: string, specs: readonly Spec[], entryOf: EntryFinder): ToolRule {
  const matching = specs.filter((spec) => (spec.tools ?? ['*']).some((pattern) => matchesTool(pattern, tool)))
  const entry = entryOf(tool)
  return {
    ...labelsOf(entry),
    blocklist: specRulesOf('blocklist', matching),
    allowlist: matching.flatMap((spec) => (spec.tier === 'allowlist' ? [allowRuleOf(spec)] : [])),
    confirmation: specRulesOf('confirmation', matching),
  }
}

/** Whatever a catalogue says, a tool is never less than its least. */
function labelsOf(entry: CatalogueEntry | undefined): Pick<ToolRule, 'labels' | 'least'> {
  const labels = entry && stepLabelsOf(entry.labels)
  if (!labels || !entry?.least) return { labels }
  const least = stepLabelsOf(entry.least)
  return { labels: joinLabels(labels, least), least }
}

function specRulesOf(tier: Spec['tier'], matching: readonly Spec[]): SpecRule[] {
  return matching
    .filter((spec) => spec.tier === tier)
    .slice(0, SPECS_PER_TIER_MAX)
    .map(specRuleOf)
}

function specRuleOf(spec: Spec): SpecRule {
  const message = spec.message ?? `the ${spec.tier} names this tool in \`${spec.id}\``
  const rule: SpecRule = { id: spec.id, message }
  return {
    ...rule,
    ...(spec.requirements && { requirements: spec.requirements }),
    ...('alternative' in spec && spec.alternative !== undefined && { alternative: spec.alternative }),
  }
}

function allowRuleOf(spec: Extract<Spec, { tier: 'allowlist' }>): AllowRule {
  return { id: spec.id, lifts: new Set(spec.lifts) }
}
