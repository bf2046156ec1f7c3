import { type Catalogue, type ToolLabels, claimedLabelsSchema } from '@plimsoll/contracts'
import { createLabeller } from './entries.js'
import {
  type Claim,
  type Claims,
  type Hint,
  type LabelName,
  type LabelValues,
  type Source,
  type ToolDefinition,
  LABEL_NAMES,
  claimsOf,
  hintsOf,
  worseBy,
} from './claim.js'
import { heuristicClaims } from './heuristics/result.js'
import { type Operations, operationsOf } from './operations.js'

/** The key in a tool's `_meta` under which a server may declare labels, all optional. */
export const META_KEY = 'dev.plimsoll/labels'

/** The labels under `META_KEY`. One invalid label discards them all. */
function metaClaims({ _meta }: ToolDefinition): Claims {
  const result = claimedLabelsSchema.safeParse(_meta?.[META_KEY])
  return result.success ? claimsOf(result.data, 'meta', 0.9, 'the server says so') : NO_CLAIMS
}

/** Two sources that disagree about a label. */
export interface Contradiction {
  readonly label: LabelName
  readonly kept: { readonly source: Source; readonly value: string }
  readonly other: { readonly source: Source; readonly value: string; readonly reason: string }
  /** Whether the discarded value is worse: the tool may be more dangerous than its label. */
  readonly isWorse: boolean
}

export interface Settled<K extends LabelName = LabelName> {
  readonly claim: Claim<K>
  readonly contradictions: readonly Contradiction[]
}

/** All claims about one label, by source. */
export interface LabelClaims<K extends LabelName> {
  readonly catalogue: Claim<K> | undefined
  readonly meta: Claim<K> | undefined
  readonly hints: readonly Hint<K>[]
  readonly heuristics: Claim<K> | undefined
  /** Whether the server's own claims override the words of its names. */
  readonly trustsServer: boolean
}

/** From this confidence on, the words of the name override a milder claim of the server. */
export const CONFIDENT = 0.7

/** Labels of an unknown tool: the worst of the usual values. */
const UNKNOWN: LabelValues = {
  capability: 'write',
  confidentiality: 'internal',
  trust: 'untrusted',
  reversibility: 'partial',
}

/**
 * Decides one label from all claims. The catalogue wins. Otherwise the server's labels override the words of the name, and hints bound
 * them. Neither makes a tool milder than a confident reading of its name, unless the server is trusted.
 */
export function settle<K extends LabelName>(label: K, said: LabelClaims<K>): Settled<K> {
  const claim = said.catalogue ?? uncatalogued(label, said)
  return { claim, contradictions: contradictionsOf(label, claim, said) }
}

function uncatalogued<K extends LabelName>(label: K, said: LabelClaims<K>): Claim<K> {
  const { meta, heuristics, hints, trustsServer } = said
  const isHeld = (value: LabelValues[K]): boolean =>
    !trustsServer && isConfident(heuristics) && worseBy(label, heuristics.value, value) > 0
  if (meta) return heuristics && isHeld(meta.value) ? heuristics : meta
  return hints.reduce<Claim<K>>(
    (claim, { value, bound, reason }) => {
      if (isOutweighed({ reason }, heuristics)) return claim
      const by = worseBy(label, value, claim.value)
      const isApplied = bound === 'atLeast' ? by > 0 : by < 0 && !isHeld(value)
      return isApplied ? { value, source: 'annotations', confidence: 0.6, reason } : claim
    },
    heuristics ?? unknown(label),
  )
}

/**
 * Servers often give one hint to all of their tools, so the tool's own words outweigh it in two cases: `openWorldHint` if the words are
 * confident, and `destructiveHint` if name and description agree that the tool only looks.
 */
function isOutweighed({ reason }: Pick<Hint, 'reason'>, heuristics: Claim | undefined): boolean {
  if (reason === 'openWorldHint') return isConfident(heuristics)
  return reason === 'destructiveHint' && heuristics?.isAgreed === true
}

const isConfident = (claim: Claim | undefined): claim is Claim =>
  claim !== undefined && claim.confidence >= CONFIDENT

const unknown = <K extends LabelName>(label: K): Claim<K> => ({
  value: UNKNOWN[label],
  source: 'unknown',
  confidence: 0.1,
  reason: 'nothing tells',
})

function contradictionsOf<K extends LabelName>(
  label: K,
  kept: Claim<K>,
  said: LabelClaims<K>,
): readonly Contradiction[] {
  const { meta, heuristics, hints } = said
  const others: { value: LabelValues[K]; source: Source; reason: string }[] = []
  if (meta && meta.value !== kept.value) others.push(meta)
  for (const { value, bound, reason } of hints)
    if (reason === 'openWorldHint' && isOutweighed({ reason }, heuristics)) continue
    else if (
      bound === 'atLeast' ? worseBy(label, value, kept.value) > 0 : worseBy(label, value, kept.value) < 0
    )
      others.push({ value, source: 'annotations', reason })
  // A guess milder than the kept value is not reported.
  if (
    isConfident(heuristics) &&
    kept.source !== 'heuristics' &&
    worseBy(label, heuristics.value, kept.value) > 0
  )
    others.push(heuristics)
  return others.map(({ value, source, reason }) => ({
    label,
    kept: { source: kept.source, value: kept.value },
    other: { source, value, reason },
    isWorse: worseBy(label, value, kept.value) > 0,
  }))
}

export interface LabelToolOptions {
  /** Whether the server's claims override the words of its own names if they are milder. Default: no. */
  readonly trustsServer?: boolean
}

/** The labels proposed for one tool. */
export interface ToolLabelling {
  readonly tool: string
  readonly labels: ToolLabels
  /** Each label with the source that decided it, its confidence (0…1) and the reason. */
  readonly perLabel: { readonly [K in LabelName]: Claim<K> }
  readonly contradictions: readonly Contradiction[]
  /** One line for each point that a human should check; empty if there is none. */
  readonly doubts: readonly string[]
  /** If an argument chooses the operation: the choices that are milder than `labels`. */
  readonly operations?: Operations
}

/** Below this confidence a label is a doubt. */
export const DOUBTFUL = 0.5

/**
 * Decides each label of a tool from, in order of trust, the operator's catalogue, the server's labels, MCP's hints and the tool's words.
 * Pure; never throws; linear in the length of the texts.
 *
 * @example labelTool({ name: 'send_email' }).labels // { capability: 'network', reversibility: 'irreversible' }
 */
export function labelTool(
  tool: ToolDefinition,
  catalogue?: Catalogue,
  { trustsServer = false }: LabelToolOptions = {},
): ToolLabelling {
  const known = catalogue && createLabeller(catalogue)(tool.name)
  const catalogued = known ? claimsOf(known, 'catalogue', 1, 'the catalogue says so') : NO_CLAIMS
  const meta = metaClaims(tool)
  const heuristics = heuristicClaims(tool)
  const hints = hintsOf(tool.annotations)
  const settled = <K extends LabelName>(label: K): Settled<K> =>
    settle(label, {
      catalogue: claimIn(catalogued, label),
      meta: claimIn(meta, label),
      hints: hints.filter((hint): hint is Hint<K> => hint.label === label),
      heuristics: claimIn(heuristics, label),
      trustsServer,
    })
  const all = LABEL_NAMES.map((label) => [label, settled(label)] as const)
  const perLabel = Object.fromEntries(
    all.map(([label, { claim }]) => [label, claim]),
  ) as unknown as ToolLabelling['perLabel']
  const contradictions = all.flatMap(([, { contradictions: found }]) => found)
  const tags = (known ? catalogued : meta.tags ? meta : heuristics).tags
  const labels = labelsOf(perLabel, tags)
  return {
    tool: tool.name,
    labels,
    perLabel,
    contradictions,
    doubts: doubtsOf(perLabel, contradictions),
    ...operationsIn(tool, labels, known !== undefined),
  }
}

/** None for a catalogued tool: its entry stays as it is. */
function operationsIn(
  { name, inputSchema }: ToolDefinition,
  labels: ToolLabels,
  isCatalogued: boolean,
): Pick<ToolLabelling, 'operations'> {
  const operations = isCatalogued ? undefined : operationsOf(name, inputSchema, labels)
  return operations ? { operations } : {}
}

const NO_CLAIMS: Claims = { labels: {} }

const claimIn = <K extends LabelName>({ labels }: Claims, label: K): Claim<K> | undefined => labels[label]

function labelsOf(perLabel: ToolLabelling['perLabel'], tags: readonly string[] | undefined): ToolLabels {
  const { capability, confidentiality, trust, reversibility } = perLabel
  return {
    capability: capability.value,
    ...(confidentiality.value !== 'none' && { confidentiality: confidentiality.value }),
    ...(trust.value === 'untrusted' && { trust: trust.value }),
    reversibility: reversibility.value,
    ...(tags && tags.length > 0 && { tags: [...tags] }),
  }
}

function doubtsOf(
  perLabel: ToolLabelling['perLabel'],
  contradictions: readonly Contradiction[],
): readonly string[] {
  return [
    ...contradictions.map(
      ({ label, kept, other }) =>
        `${label}: ${kept.value} (${kept.source}) against ${other.value} (${other.source}: ${other.reason})`,
    ),
    ...LABEL_NAMES.filter((label) => perLabel[label].confidence < DOUBTFUL).map(
      (label) => `${label}: ${perLabel[label].value} is a guess, ${perLabel[label].reason}`,
    ),
  ]
}

/** For what a tool's name alone says. */
export const NO_CATALOGUE: Catalogue = { schema: 1, kind: 'plimsoll.catalogue', name: 'none', tools: [] }
