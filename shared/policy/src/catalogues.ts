import {
  CAPABILITIES,
  CONFIDENTIALITY_LABELS,
  matchesTool,
  PlimsollError,
  REVERSIBILITIES,
  TRUSTS,
  type Catalogue,
  type CatalogueEntry,
  type ToolLabels,
} from '@plimsoll/contracts'

/** Entries of one catalogue: the schema's own limit, which is read again wherever a merged catalogue is published. */
const ENTRIES_MAX = 4096

/**
 * One catalogue of several, later ones first in everything: a tool has the entry of the last catalogue that names it, or has a pattern for it.
 * So a later pattern hides earlier exact names that it matches. The organisation is the last one given, the name that of the last
 * catalogue. Merging a result with what it was made of changes nothing.
 *
 * @throws PlimsollError `document_invalid` where there are too many entries
 * @example mergeCatalogues(shipped, mine).tools // mine first, then what it does not name
 */
export const mergeCatalogues = (first: Catalogue, ...later: readonly Catalogue[]): Catalogue =>
  later.reduce(addCatalogue, first)

function addCatalogue(base: Catalogue, added: Catalogue): Catalogue {
  const names = new Set(added.tools.flatMap(({ tools }) => tools))
  const patterns = [...names].filter(isPattern)
  const isHidden = (tool: string): boolean =>
    names.has(tool) || (!isPattern(tool) && patterns.some((pattern) => matchesTool(pattern, tool)))
  return joined(base, added, [...added.tools, ...without(base.tools, isHidden)])
}

/**
 * One catalogue of those that ship. They are written side by side, so that no pattern hides a name. Of a name that several have, the entry of
 * the last one stands, and each of its labels is the harsher: a tool of one server makes nobody else's tool of that name look milder.
 */
export const mergeShipped = (first: Catalogue, ...later: readonly Catalogue[]): Catalogue =>
  later.reduce(addBeside, first)

function addBeside(base: Catalogue, added: Catalogue): Catalogue {
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

/** Of each label the harsher, and all tags; undefined where those are the labels of `own`. */
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

/** The later of the two in `order`; what does not stand in it is the first. */
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
      `catalogue \`${added.name}\`: with the catalogues before it it has ${tools.length} entries, at most ${ENTRIES_MAX} are allowed: put tools with the same labels into one entry`,
    )
  const organisation = added.organisation ?? base.organisation
  return { ...added, ...(organisation && { organisation }), tools }
}

const isPattern = (tool: string): boolean => tool.includes('*')
