import {
  type Catalogue,
  type CatalogueEntry,
  type ToolLabels,
  matchesGlob,
  matchesTool,
  toolOnServer,
} from '@plimsoll/contracts'

/** Returns the labels of a tool by its name; undefined if it has none. */
export type Labeller = (tool: string) => ToolLabels | undefined

/** Returns the catalogue entry of a tool by its name; undefined if it has none. */
export type EntryFinder = (tool: string) => CatalogueEntry | undefined

/**
 * Returns a look-up over `catalogue`. An exact name is found in O(1); otherwise the first matching pattern wins, in catalogue order. The name
 * that a tool has on its server (`send_email` of `mcp__mail__send_email`) goes before patterns that begin with `*`, for these name no server.
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
  const ofServer = (tool: string): CatalogueEntry | undefined => {
    const bare = toolOnServer(tool)
    if (bare === undefined) return undefined
    const naming = patterns.find(({ pattern }) => !pattern.startsWith('*') && matchesGlob(pattern, tool))
    return naming?.entry ?? exact.get(bare)
  }
  const found = new Map<string, CatalogueEntry | undefined>()
  return (tool) => {
    const known = exact.get(tool) ?? found.get(tool)
    if (known !== undefined || found.has(tool)) return known
    const entry = ofServer(tool) ?? patterns.find(({ pattern }) => matchesTool(pattern, tool))?.entry
    if (found.size >= FOUND_MAX) found.clear()
    found.set(tool, entry)
    return entry
  }
}

/** Tools without an exact name in the catalogue whose entries are kept, because they repeat. */
const FOUND_MAX = 1_024

/**
 * The labels of the entries that `createEntryFinder` finds. They describe the worst that a tool can do.
 *
 * @example createLabeller(catalogue)('send_email')?.capability // 'network'
 */
export function createLabeller(catalogue: Catalogue): Labeller {
  const entryOf = createEntryFinder(catalogue)
  return (tool) => entryOf(tool)?.labels
}

const entryFinders = new WeakMap<Catalogue, EntryFinder>()

/** `createEntryFinder`, made once for each catalogue. */
export function entryFinderOf(catalogue: Catalogue): EntryFinder {
  const known = entryFinders.get(catalogue)
  if (known) return known
  const made = createEntryFinder(catalogue)
  entryFinders.set(catalogue, made)
  return made
}
