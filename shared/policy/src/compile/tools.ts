import type { CatalogueEntry, Policy, ToolLabels } from '@plimsoll/contracts'
import { type ToolRule, joinLabels, stepLabelsOf } from '@plimsoll/engine'
import { type EntryFinder, NO_CATALOGUE, entryByName, isReadByName, labelTool } from '@plimsoll/labels'
import QuickLRU from 'quick-lru'
import type { CompiledSpecs } from '../specs/compile-specs.js'

/**
 * The labels of a tool that no catalogue labels: the policy's stand-in. A tool whose name plainly says that it reads counts as a read with
 * the stand-in's result; where the policy has a verdict `byName`, a tool that says by it what it changes or runs counts as that.
 */
export function standInOf(
  { labels, byName }: Policy['unlabelled'],
  tool: string,
): Pick<CatalogueEntry, 'labels' | 'least'> {
  if (isReadByName(tool)) return { labels: { ...labels, capability: 'read', reversibility: 'reversible' } }
  const named = byName && entryByName(tool)
  if (!named) return { labels }
  return {
    labels: { ...labels, ...named.labels },
    ...(named.least && { least: { ...labels, ...named.least } }),
  }
}

/** Most tools whose rules are kept. */
const TOOLS_MAX = 4096

/** A look-up of rules by a tool's name: patterns are matched once a name. */
export function compileTools(
  specs: CompiledSpecs,
  entryOf: EntryFinder,
  unlabelled: Policy['unlabelled'],
): (tool: string) => ToolRule {
  const known = new QuickLRU<string, ToolRule>({ maxSize: TOOLS_MAX })
  return (tool) => {
    const found = known.get(tool)
    if (found) return found
    const entry = completeEntry(entryOf(tool), unlabelled.labels)
    const labels = entry ? labelsOf(entry) : strangerOf(tool, unlabelled)
    const rule = { ...labels, tags: specs.tagsOf(entry?.labels.tags), ...specs.of(tool, entry) }
    known.set(tool, rule)
    return rule
  }
}

function strangerOf(
  tool: string,
  unlabelled: Policy['unlabelled'],
): Pick<ToolRule, 'labels' | 'least' | 'byName' | 'isFinalByName'> {
  const { labels, least } = standInOf(unlabelled, tool)
  const isFinalByName =
    !isReadByName(tool) &&
    labelTool({ name: tool }, NO_CATALOGUE).perLabel.reversibility.value === 'irreversible'
  return {
    labels: undefined,
    ...(labels !== unlabelled.labels && { byName: stepLabelsOf(labels) }),
    ...(least && { least: stepLabelsOf(least) }),
    ...(isFinalByName && { isFinalByName }),
  }
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
