import {
  type Catalogue,
  type CatalogueEntry,
  type ToolLabels,
  matchesGlob,
  matchesTool,
  nameBehindKnownServer,
  nameBehindServer,
  toolOnServer,
} from '@plimsoll/contracts'

/** Returns the labels of a tool by its name; undefined if it has none. */
export type Labeller = (tool: string) => ToolLabels | undefined

/** Returns the catalogue entry of a tool by its name; undefined if it has none. */
export type EntryFinder = (tool: string) => CatalogueEntry | undefined

/**
 * Returns a look-up over `catalogue`. An exact name is found in O(1); otherwise the first matching pattern wins, in catalogue order. The name
 * that a tool has on its server (`send_email` of `mcp__mail__send_email`, `mail.send_email`, `gmail__send_email`) goes before patterns that
 * begin with `*`, for these name no server. In `server__tool` the server is a well-known one: so the gateway names tools of a server whose
 * names no one vouches for.
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
    const name = bare ?? nameBehindKnownServer(tool) ?? (tool.includes('__') ? tool : nameBehindServer(tool))
    if (name === tool) return undefined
    const naming = patterns.find(({ pattern }) => !pattern.startsWith('*') && matchesGlob(pattern, tool))
    if (naming) return naming.entry
    const named = exact.get(name)
    return bare !== undefined ? named : named && withoutTrust(named)
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

/** Entries that were found by the name behind a server's, where it need not be one. */
const behindServers = new WeakSet<CatalogueEntry>()

/** An entry for a tool of the same name on a server that no one vouches for: what it returns is not trusted. */
function withoutTrust({ labels, least, ...entry }: CatalogueEntry): CatalogueEntry {
  const made = { ...entry, labels: unvouched(labels), ...(least && { least: unvouched(least) }) }
  behindServers.add(made)
  return made
}

function unvouched(labels: ToolLabels): ToolLabels {
  if (labels.trust !== 'trusted') return labels
  const { trust: _, ...others } = labels
  return others
}

/** Whether a tool runs on a server: a client's spelling shows it, or its entry was found behind a server's name. */
export const isOfServer = (tool: string, entry: CatalogueEntry | undefined): boolean =>
  toolOnServer(tool) !== undefined || (entry !== undefined && behindServers.has(entry))

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
