import type { Catalogue } from '@plimsoll/contracts'
import { createEntryFinder, proposeLabels, type ToolDefinition } from '@plimsoll/labels'
import type { Recording } from '../traces/recording.js'

export interface LabelledCatalogue {
  readonly catalogue: Catalogue
  /** The tools that were not in it before, the doubtful first. */
  readonly proposed: readonly string[]
}

/**
 * The catalogue with the recorded tools that it does not list, labelled as `plimsoll label` would propose it: by name and description,
 * and nobody has read it. A tool whose name no catalogue can hold stays unlisted.
 */
export function labelUnlisted(catalogue: Catalogue, recordings: readonly Recording[]): LabelledCatalogue {
  const { labellings } = proposeLabels(unlistedIn(catalogue, recordings))
  const entries = labellings.map(({ tool, labels }) => ({
    tools: [tool],
    labels: { confidentiality: 'none', trust: 'trusted', ...labels } as const,
  }))
  return {
    catalogue: entries.length === 0 ? catalogue : { ...catalogue, tools: [...catalogue.tools, ...entries] },
    proposed: labellings.map(({ tool }) => tool),
  }
}

function unlistedIn(catalogue: Catalogue, recordings: readonly Recording[]): ToolDefinition[] {
  const entryOf = createEntryFinder(catalogue)
  const unlisted = new Map<string, ToolDefinition>()
  for (const { blind } of recordings)
    for (const { tool, description } of blind.steps)
      if (!unlisted.has(tool) && !entryOf(tool)) unlisted.set(tool, { name: tool, description })
  return [...unlisted.values()]
}
