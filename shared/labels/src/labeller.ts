import { matchesTool, type Catalogue, type CatalogueEntry, type ToolLabels } from '@plimsoll/contracts'

/** What a tool is, by its name; undefined where nothing says. */
export type Labeller = (tool: string) => ToolLabels | undefined

/** The catalogue's line on a tool; undefined where it has none. */
export type EntryFinder = (tool: string) => CatalogueEntry | undefined

/**
 * A look-up over `catalogue`: an exact name in O(1), else the first pattern that matches, in the catalogue's order.
 *
 * @example createEntryFinder(catalogue)('bash')?.least?.capability // 'read'
 */
export function createEntryFinder(catalogue: Catalogue): EntryFinder {
  const exact = new Map<string, CatalogueEntry>()
  const patterns: { pattern: string; entry: CatalogueEntry }[] = []
  for (const entry of catalogue.tools)
    for (const pattern of entry.tools) {
      if (pattern.includes('*')) patterns.push({ pattern, entry })
      else if (!exact.has(pattern)) exact.set(pattern, entry)
    }
  return (tool) => exact.get(tool) ?? patterns.find(({ pattern }) => matchesTool(pattern, tool))?.entry
}

/**
 * The labels of `createEntryFinder`: the worst that a tool can do.
 *
 * @example createLabeller(catalogue)('send_email')?.capability // 'network'
 */
export function createLabeller(catalogue: Catalogue): Labeller {
  const entryOf = createEntryFinder(catalogue)
  return (tool) => entryOf(tool)?.labels
}
