import type { CatalogueEntry, ToolLabels } from '@plimsoll/contracts'
import { type ToolRule, joinLabels, stepLabelsOf } from '@plimsoll/engine'
import { type EntryFinder, NO_CATALOGUE, isReadByName, labelTool } from '@plimsoll/labels'
import QuickLRU from 'quick-lru'
import type { CompiledSpecs } from '../specs/compile-specs.js'

/**
 * The labels of a tool that no catalogue labels: the policy's stand-in. A tool whose name plainly says that it reads counts as a read
 * with the stand-in's result.
 */
export const standInOf = (standIn: ToolLabels, tool: string): ToolLabels =>
  isReadByName(tool) ? { ...standIn, capability: 'read', reversibility: 'reversible' } : standIn

/** Most tools whose rules are kept. */
const TOOLS_MAX = 4096

/** A look-up of rules by a tool's name: patterns are matched once a name. */
export function compileTools(
  specs: CompiledSpecs,
  entryOf: EntryFinder,
  standIn: ToolLabels,
): (tool: string) => ToolRule {
  const known = new QuickLRU<string, ToolRule>({ maxSize: TOOLS_MAX })
  return (tool) => {
    const found = known.get(tool)
    if (found) return found
    const entry = completeEntry(entryOf(tool), standIn)
    const labels = entry ? labelsOf(entry) : strangerOf(tool, standIn)
    const rule = { ...labels, tags: specs.tagsOf(entry?.labels.tags), ...specs.of(tool, entry) }
    known.set(tool, rule)
    return rule
  }
}

function strangerOf(
  tool: string,
  standIn: ToolLabels,
): Pick<ToolRule, 'labels' | 'readAs' | 'isFinalByName'> {
  const labels = standInOf(standIn, tool)
  if (labels !== standIn) return { labels: undefined, readAs: stepLabelsOf(labels) }
  const { value } = labelTool({ name: tool }, NO_CATALOGUE).perLabel.reversibility
  return { labels: undefined, isFinalByName: value === 'irreversible' }
}

/**
 * The entry with the labels of results that it leaves out: unknown labels are those of an unlabelled tool (`standIn`). They also count
 * where `least` leaves them out: arguments cannot lower an unknown label.
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

/** The labels of an entry, never below its `least`. */
function labelsOf(entry: CatalogueEntry): Pick<ToolRule, 'labels' | 'least'> {
  const labels = stepLabelsOf(entry.labels)
  if (!entry.least) return { labels }
  const least = stepLabelsOf(entry.least)
  return { labels: joinLabels(labels, least), least }
}
