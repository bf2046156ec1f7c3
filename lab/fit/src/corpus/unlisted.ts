import type { Catalogue } from '@plimsoll/contracts'
import { type ToolDefinition, createEntryFinder, proposeLabels } from '@plimsoll/labels'
import { readToolLists } from './blind.js'
import { readTraces } from './read-traces.js'
import type { Recording } from './recording.js'

export interface LabelledCatalogue {
  readonly catalogue: Catalogue
  /** The tools that were not in it before, the doubtful first. */
  readonly proposed: readonly string[]
}

/**
 * The catalogue with the recorded tools that it does not list, labelled as `plimsoll label` would propose it: by name and description,
 * without review. A tool whose name is not valid in a catalogue stays unlisted.
 */
export function labelUnlisted(
  catalogue: Catalogue,
  recordings: Iterable<Pick<Recording, 'blind'>>,
): LabelledCatalogue {
  const tools = createUnlisted(catalogue)
  for (const { blind } of recordings)
    for (const { tool, description } of blind.steps) tools.add(tool, () => description)
  return withProposals(catalogue, tools.found())
}

/** The same of files, in memory that grows with their tools alone. */
export async function labelUnlistedIn(
  catalogue: Catalogue,
  files: readonly string[],
): Promise<LabelledCatalogue> {
  const { describe } = await readToolLists(files)
  const tools = createUnlisted(catalogue)
  for await (const { steps, tools_ref: ref } of readTraces(files))
    for (const { tool } of steps) tools.add(tool, () => (ref ? describe(ref, tool) : undefined))
  return withProposals(catalogue, tools.found())
}

/** Tools in the order in which they first come, with what is said of them there. */
function createUnlisted(catalogue: Catalogue) {
  const entryOf = createEntryFinder(catalogue)
  const unlisted = new Map<string, ToolDefinition>()
  return {
    add: (name: string, describe: () => string | undefined): void => {
      if (unlisted.has(name) || entryOf(name)) return
      const description = describe()
      unlisted.set(name, { name, ...(description !== undefined && { description }) })
    },
    found: (): readonly ToolDefinition[] => [...unlisted.values()],
  }
}

function withProposals(catalogue: Catalogue, tools: readonly ToolDefinition[]): LabelledCatalogue {
  const { labellings } = proposeLabels(tools)
  const entries = labellings.map(({ tool, labels }) => ({
    tools: [tool],
    labels: { confidentiality: 'none', trust: 'trusted', ...labels } as const,
  }))
  return {
    catalogue: entries.length === 0 ? catalogue : { ...catalogue, tools: [...catalogue.tools, ...entries] },
    proposed: labellings.map(({ tool }) => tool),
  }
}
