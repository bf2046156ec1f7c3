import type { CatalogueEntry, Policy } from '@plimsoll/contracts'
import { joinLabels, stepLabelsOf, type ToolRule } from '@plimsoll/engine'
import type { EntryFinder } from '@plimsoll/labels'
import type { CompiledSpecs } from './specs/index.js'
import { standInOf } from './stand-in.js'

/** Tools whose rule is kept; beyond it the oldest is forgotten, and worked out again when it comes. */
const TOOLS_MAX = 4096

/**
 * A look-up from a tool's name to everything that is known of it. Patterns are matched once a name; after that it is one map read.
 */
export function compileTools(
  specs: CompiledSpecs,
  entryOf: EntryFinder,
  unlabelled: Policy['unlabelled'],
): (tool: string) => ToolRule {
  const known = new Map<string, ToolRule>()
  return (tool) => {
    const found = known.get(tool)
    if (found) return found
    const entry = entryOf(tool)
    const labels = entry ? labelsOf(entry) : strangerOf(unlabelled, tool)
    const rule = { ...labels, tags: specs.tagsOf(entry?.labels.tags), ...specs.of(tool) }
    if (known.size >= TOOLS_MAX) for (const oldest of known.keys()) if (known.delete(oldest)) break
    known.set(tool, rule)
    return rule
  }
}

function strangerOf(unlabelled: Policy['unlabelled'], tool: string): Pick<ToolRule, 'labels' | 'readAs'> {
  const standIn = standInOf(unlabelled, tool)
  return { labels: undefined, ...(standIn !== unlabelled.labels && { readAs: stepLabelsOf(standIn) }) }
}

/** Whatever a catalogue says, a tool is never less than its least. */
function labelsOf(entry: CatalogueEntry): Pick<ToolRule, 'labels' | 'least'> {
  const labels = stepLabelsOf(entry.labels)
  if (!entry.least) return { labels }
  const least = stepLabelsOf(entry.least)
  return { labels: joinLabels(labels, least), least }
}
