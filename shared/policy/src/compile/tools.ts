import type { CatalogueEntry, ToolLabels } from '@plimsoll/contracts'
import { type ToolRule, joinLabels, stepLabelsOf } from '@plimsoll/engine'
import { type EntryFinder, isReadByName } from '@plimsoll/labels'
import type { CompiledSpecs } from '../specs/compile-specs.js'

/**
 * What a tool is taken for that no catalogue labels: the policy's stand-in. One that by its name plainly reads is taken for a read whose
 * result is what the stand-in's would be.
 */
export const standInOf = (standIn: ToolLabels, tool: string): ToolLabels =>
  isReadByName(tool) ? { ...standIn, capability: 'read', reversibility: 'reversible' } : standIn

/** Tools whose rule is kept; beyond it the oldest is forgotten, and worked out again when it comes. */
const TOOLS_MAX = 4096

/**
 * A look-up from a tool's name to everything that is known of it. Patterns are matched once a name; after that it is one map read.
 */
export function compileTools(
  specs: CompiledSpecs,
  entryOf: EntryFinder,
  standIn: ToolLabels,
): (tool: string) => ToolRule {
  const known = new Map<string, ToolRule>()
  return (tool) => {
    const found = known.get(tool)
    if (found) return found
    const entry = completeEntry(entryOf(tool), standIn)
    const labels = entry ? labelsOf(entry) : strangerOf(tool, standIn)
    const rule = { ...labels, tags: specs.tagsOf(entry?.labels.tags), ...specs.of(tool) }
    if (known.size >= TOOLS_MAX) for (const oldest of known.keys()) if (known.delete(oldest)) break
    known.set(tool, rule)
    return rule
  }
}

function strangerOf(tool: string, standIn: ToolLabels): Pick<ToolRule, 'labels' | 'readAs'> {
  const labels = standInOf(standIn, tool)
  return { labels: undefined, ...(labels !== standIn && { readAs: stepLabelsOf(labels) }) }
}

/**
 * The entry with the labels of results that it leaves out. They are unknown, and so what an unlabelled tool is taken for (`standIn`). Where `least`
 * leaves them out too they count there as well: arguments cannot bring down what nobody knows.
 */
export function completeEntry<E extends CatalogueEntry | undefined>(entry: E, standIn: ToolLabels): E {
  if (!entry) return entry
  const { labels, least } = entry
  if (labels.confidentiality !== undefined && labels.trust !== undefined) return entry
  const known = {
    confidentiality: labels.confidentiality ?? standIn.confidentiality ?? 'none',
    trust: labels.trust ?? standIn.trust ?? 'trusted',
  }
  const ofLeast = least && {
    ...least,
    confidentiality: least.confidentiality ?? (labels.confidentiality ? 'none' : known.confidentiality),
    trust: least.trust ?? (labels.trust ? 'trusted' : known.trust),
  }
  return { ...entry, labels: { ...labels, ...known }, ...(ofLeast && { least: ofLeast }) }
}

/** Whatever a catalogue says, a tool is never less than its least. */
function labelsOf(entry: CatalogueEntry): Pick<ToolRule, 'labels' | 'least'> {
  const labels = stepLabelsOf(entry.labels)
  if (!entry.least) return { labels }
  const least = stepLabelsOf(entry.least)
  return { labels: joinLabels(labels, least), least }
}
