import type { Catalogue, CatalogueEntry, ClaimedLabels, Policy, ToolLabels } from '@plimsoll/contracts'
import { readOrStandIn } from '../../naive/naive-levels.js'

/** The labels of one step, in words. */
export interface NaiveLabels {
  readonly capability: string
  readonly confidentiality: string | undefined
  readonly trust: string
  readonly reversibility: string
  readonly tags: readonly string[]
}

/** Labels that a judge has found since for unlabelled tools. */
export interface NaiveRefinement {
  readonly tool: string
  readonly labels: ToolLabels
  readonly replaces: boolean
}

const ORDERS = {
  capability: ['read', 'write', 'execute', 'network'],
  confidentiality: ['public', 'internal', 'sensitive', 'credentials'],
  trust: ['trusted', 'untrusted'],
  reversibility: ['reversible', 'partial', 'irreversible'],
} as const

const higher = (member: keyof typeof ORDERS, a: string | undefined, b: string | undefined) =>
  (ORDERS[member] as readonly string[]).findLast((word) => word === a || word === b)

const expressions = new Map<string, RegExp>()

/** `*` stands for any run of characters. */
export function naiveGlob(pattern: string, name: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[^\w]/g, String.raw`\$&`))
  const known = expressions.get(pattern) ?? new RegExp(`^${parts.join('.*')}$`)
  expressions.set(pattern, known)
  return known.test(name)
}

/** The higher of each label; all tags. */
export function joined(labels: NaiveLabels, claimed: Partial<NaiveLabels> | ClaimedLabels = {}): NaiveLabels {
  return {
    capability: higher('capability', labels.capability, claimed.capability) ?? '',
    confidentiality: higher('confidentiality', labels.confidentiality, claimed.confidentiality),
    trust: higher('trust', labels.trust, claimed.trust) ?? 'trusted',
    reversibility: higher('reversibility', labels.reversibility, claimed.reversibility) ?? '',
    tags: [...new Set([...labels.tags, ...(claimed.tags ?? [])])],
  }
}

const inWords = ({ capability, confidentiality, trust, reversibility, tags }: ToolLabels): NaiveLabels => ({
  capability,
  confidentiality,
  trust: trust ?? 'trusted',
  reversibility,
  tags: tags ?? [],
})

/** The labels of a step with `tool` and the claims `claimed`. */
export function naiveLabels(
  context: NaiveContext,
  tool: string,
  claimed: ClaimedLabels | undefined,
): NaiveLabels {
  const entry = entryOf(context, tool)
  if (!entry || (entry.least && claimed?.capability && claimed.reversibility))
    return joined(leastLabels(context, tool), claimed)
  return joined(joined(inWords(entry.labels), entry.least), claimed)
}

/** The least labels of a step with `tool`, whatever its arguments. */
export function leastLabels(context: NaiveContext, tool: string): NaiveLabels {
  const entry = entryOf(context, tool)
  if (!entry) return { ...standIn(context.policy, context.refined, tool), tags: [] }
  const tags = [...new Set([...(entry.labels.tags ?? []), ...(entry.least?.tags ?? [])])]
  return { ...inWords(entry.least ?? entry.labels), tags }
}

function entryOf({ catalogue, policy }: NaiveContext, tool: string) {
  const found =
    catalogue.tools.find(({ tools }) => tools.includes(tool)) ??
    catalogue.tools.find(({ tools }) => tools.some((pattern) => naiveGlob(pattern, tool)))
  return found && withUnknown(found, policy.unlabelled.labels)
}

/** Gives an entry without confidentiality or trust those of an unlabelled tool, in its labels and as a default of its least. */
export function withUnknown(entry: CatalogueEntry, stranger: ToolLabels): CatalogueEntry {
  const { labels, least } = entry
  const returned = {
    ...(labels.confidentiality === undefined && { confidentiality: stranger.confidentiality ?? 'none' }),
    ...(labels.trust === undefined && { trust: stranger.trust ?? 'trusted' }),
  } as const
  return { ...entry, labels: { ...labels, ...returned }, ...(least && { least: { ...returned, ...least } }) }
}

export interface NaiveContext {
  readonly policy: Policy
  readonly catalogue: Catalogue
  readonly refined: readonly NaiveRefinement[]
}

function standIn({ unlabelled }: Policy, refined: readonly NaiveRefinement[], tool: string): NaiveLabels {
  const known = readOrStandIn(unlabelled.labels, tool)
  const own = inWords(known)
  const answers = refined.filter((each) => each.tool === tool)
  const [first, ...later] = answers
  if (!first) return own
  const judged = later.reduce((labels, { labels: more }) => joined(labels, more), inWords(first.labels))
  if (!answers.every(({ replaces }) => replaces)) return { ...joined(judged, known), tags: judged.tags }
  return { ...judged, trust: own.trust === 'untrusted' ? 'untrusted' : judged.trust }
}
