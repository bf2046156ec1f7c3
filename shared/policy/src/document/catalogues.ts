import {
  type Catalogue,
  type CatalogueEntry,
  type ToolLabels,
  CAPABILITIES,
  CONFIDENTIALITY_LABELS,
  PlimsollError,
  REVERSIBILITIES,
  TRUSTS,
  joinWorlds,
  matchesTool,
} from '@plimsoll/contracts'

/** Most entries of one catalogue, as in the schema: a merged catalogue is checked against it when it is published. */
const ENTRIES_MAX = 4096

/** Most names of one entry, as in the schema. */
const NAMES_MAX = 512

/**
 * Merges catalogues; later ones win: a tool gets the entry of the last catalogue that names it or has a pattern for it. So a later pattern
 * hides earlier exact names that it matches. One with `extends: none` hides all before it. The organisation is the last one given, so is each member of the world, the name
 * that of the last catalogue. Merging a result with one of its parts changes nothing.
 *
 * @throws PlimsollError `document_invalid` where there are too many entries
 * @example mergeCatalogues(shipped, mine).tools // mine first, then what it does not name
 */
export const mergeCatalogues = (first: Catalogue, ...later: readonly Catalogue[]): Catalogue =>
  later.reduce(addCatalogue, first)

function addCatalogue(base: Catalogue, added: Catalogue): Catalogue {
  if (added.extends === 'none') return added
  const names = new Set(added.tools.flatMap(({ tools }) => tools))
  const patterns = [...names].filter(isPattern)
  const isHidden = (tool: string): boolean =>
    names.has(tool) || (!isPattern(tool) && patterns.some((pattern) => matchesTool(pattern, tool)))
  return joined(base, added, [...added.tools, ...without(base.tools, isHidden)])
}

/**
 * Merges the catalogues that ship. No pattern of one hides a name of another. Where several name a tool, the last entry counts, with the
 * harsher of each label: a tool of one server does not make another server's tool of that name look milder. Entries that differ by their
 * names alone become one. Merging the result by itself changes nothing.
 */
export function mergeShipped(first: Catalogue, ...later: readonly Catalogue[]): Catalogue {
  const merged = later.reduce(addShipped, first)
  return { ...merged, tools: joinEntries(merged.tools) }
}

/** Patterns stay where they are, for the first that matches counts. */
function joinEntries(entries: readonly CatalogueEntry[]): CatalogueEntry[] {
  const open = new Map<string, { tools: string[] }>()
  return entries.flatMap(({ tools, ...rest }) => {
    const key = JSON.stringify(rest)
    const before = open.get(key)
    const isPlain = !tools.some(isPattern)
    if (before && isPlain && before.tools.length + tools.length <= NAMES_MAX) {
      before.tools.push(...tools)
      return []
    }
    const entry = { ...rest, tools: [...tools] }
    if (isPlain) open.set(key, entry)
    return [entry]
  })
}

function addShipped(base: Catalogue, added: Catalogue): Catalogue {
  const before = new Map(base.tools.flatMap((entry) => entry.tools.map((tool) => [tool, entry.labels])))
  const names = new Set(added.tools.flatMap(({ tools }) => tools))
  const raised = added.tools.flatMap((entry) => raisedEntries(entry, before))
  return joined(base, added, [...raised, ...without(base.tools, (tool) => names.has(tool))])
}

/** The entry, and one for each of its tools that another catalogue labels harsher. */
function raisedEntries(entry: CatalogueEntry, before: ReadonlyMap<string, ToolLabels>): CatalogueEntry[] {
  const raised = entry.tools.flatMap((tool) => {
    const other = before.get(tool)
    const labels = other && harsherLabels(entry.labels, other)
    return labels ? [{ ...entry, tools: [tool], labels }] : []
  })
  const isRaised = (tool: string): boolean => raised.some(({ tools }) => tools.includes(tool))
  return [...without([entry], isRaised), ...raised]
}

/** The harsher of each label, and all tags; undefined where that is `own`. */
function harsherLabels(own: ToolLabels, other: ToolLabels): ToolLabels | undefined {
  const tags = [...new Set([...(own.tags ?? []), ...(other.tags ?? [])])]
  const confidentiality = later(CONFIDENTIALITY_LABELS, own.confidentiality, other.confidentiality)
  const trust = later(TRUSTS, own.trust, other.trust)
  const labels: ToolLabels = {
    capability: later(CAPABILITIES, own.capability, other.capability),
    ...(confidentiality && { confidentiality }),
    ...(trust && { trust }),
    reversibility: later(REVERSIBILITIES, own.reversibility, other.reversibility),
    ...(tags.length > 0 && { tags }),
  }
  const isOwn =
    LABELS.every((label) => labels[label] === own[label]) && tags.length === (own.tags ?? []).length
  return isOwn ? undefined : labels
}

const LABELS = ['capability', 'confidentiality', 'trust', 'reversibility'] as const

/** The later of the two in `order`; a value that is not in it counts as first. */
const later = <T>(order: readonly unknown[], a: T, b: T): T => (order.indexOf(b) > order.indexOf(a) ? b : a)

/** The entries without the names that are hidden; an entry that has none left is dropped. */
function without(entries: readonly CatalogueEntry[], isHidden: (tool: string) => boolean): CatalogueEntry[] {
  return entries.flatMap((entry) => {
    const tools = entry.tools.filter((tool) => !isHidden(tool))
    if (tools.length === entry.tools.length) return [entry]
    return tools.length > 0 ? [{ ...entry, tools }] : []
  })
}

function joined(base: Catalogue, added: Catalogue, tools: CatalogueEntry[]): Catalogue {
  if (tools.length > ENTRIES_MAX)
    throw new PlimsollError(
      'document_invalid',
      `catalogue \`${added.name}\`: merged with the catalogues before it, it has ${tools.length} entries, at most ${ENTRIES_MAX} are allowed: put tools with the same labels into one entry`,
    )
  const organisation = added.organisation ?? base.organisation
  const world = joinWorlds(base.world, added.world)
  return {
    ...added,
    ...(base.extends && { extends: base.extends }),
    ...(organisation && { organisation }),
    ...(world && { world }),
    tools,
  }
}

const isPattern = (tool: string): boolean => tool.includes('*')
