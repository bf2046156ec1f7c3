import type { Catalogue, ToolLabels } from '@plimsoll/contracts'
import { createLabeller } from '../labeller.js'
import { hintsOf, type Hint } from './annotations.js'
import { operationsOf, type Operations } from './operations.js'
import { claimsOf, LABEL_NAMES, type Claim, type Claims, type LabelName } from './claim.js'
import { actionOfVerb } from './heuristics/actions.js'
import { heuristicClaims } from './heuristics/heuristics.js'
import { metaClaims, plimsollMeta, type MetaAdapter } from './meta.js'
import { settle, type Contradiction, type Settled } from './settle.js'
import type { ToolDefinition } from './tool-definition.js'
import { wordsOf } from './words-of.js'

export interface LabelToolOptions {
  /** How labels are read out of what a server lists, the first that finds some. Default: the key `dev.plimsoll/labels` of `_meta`. */
  readonly adapters?: readonly MetaAdapter[]
  /** Believes what the server says of itself also where its own names say worse. Default: no. */
  readonly trustsServer?: boolean
}

/** What is proposed for one tool. */
export interface ToolLabelling {
  readonly tool: string
  readonly labels: ToolLabels
  /** Each label with the source that decided it, how sure that is (0…1), and why. */
  readonly perLabel: { readonly [K in LabelName]: Claim<K> }
  readonly contradictions: readonly Contradiction[]
  /** What a human should look at, one line each; empty where all is clear. */
  readonly doubts: readonly string[]
  /** Of a tool whose argument chooses what it does, what single choices are that are milder than `labels`. */
  readonly operations?: Operations
}

/** Below it a label is a doubt. */
const DOUBTFUL = 0.5

/**
 * Labels a tool from the operator's catalogue, from what its server says of it, from MCP's hints and from its words, in this order of
 * trust; each label by itself. Pure, throws nothing, linear in the length of the texts.
 *
 * @example labelTool({ name: 'send_email' }).labels // { capability: 'network', reversibility: 'irreversible' }
 */
export function labelTool(
  tool: ToolDefinition,
  catalogue?: Catalogue,
  options: LabelToolOptions = {},
): ToolLabelling {
  const { adapters = [plimsollMeta], trustsServer = false } = options
  const known = catalogue && createLabeller(catalogue)(tool.name)
  const catalogued = known ? claimsOf(known, 'catalogue', 1, 'the catalogue says so') : NOTHING
  const meta = metaClaims(tool, adapters)
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
  const all = {
    capability: settled('capability'),
    confidentiality: settled('confidentiality'),
    trust: settled('trust'),
    reversibility: settled('reversibility'),
  }
  const perLabel = {
    capability: all.capability.claim,
    confidentiality: all.confidentiality.claim,
    trust: all.trust.claim,
    reversibility: all.reversibility.claim,
  }
  const contradictions = LABEL_NAMES.flatMap((label) => all[label].contradictions)
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

/**
 * Whether a name says with confidence that the tool reads and does nothing else, and does not speak of credentials: `list_files`, not
 * `get_password`. Nobody vouches for a name: this is for asking less about tools that nothing labels, not for labels. Linear in its length.
 */
export function isReadByName(name: string): boolean {
  const words = wordsOf(name)
  const first = words.findIndex((word) => actionOfVerb(word) !== undefined)
  if (!LOOKING.has(words[first] ?? '') || words.some((word) => DOES_MORE.has(word))) return false
  const { capability, reversibility, confidentiality } = labelTool({ name }).perLabel
  return (
    capability.value === 'read' &&
    capability.confidence >= DOUBTFUL &&
    reversibility.value === 'reversible' &&
    confidentiality.value !== 'credentials'
  )
}

/** Verbs of which nothing but a look is known. `open`, `load`, `export`, `complete` mean more as often. */
const LOOKING: ReadonlySet<string> = new Set(
  `get list search find read view show describe query lookup check count fetch inspect compare glob grep ls stat status whoami ping calculate compute
  sum echo think retrieve`.split(/\s+/),
)
/** Words by which a name goes on to something else: `check_and_obliterate`, `get_rid_of_files`, `lookup_deprovision`. */
const DOES_MORE: ReadonlySet<string> = new Set(
  `and then or rid out off obliterate expunge nullify shred deprovision sign pay purchase buy refund deploy publish stop kill public pastebin unlock
  wipe drop delete remove destroy`.split(/\s+/),
)

/** What the catalogue says stands whole. */
function operationsIn(
  { inputSchema }: ToolDefinition,
  labels: ToolLabels,
  isCatalogued: boolean,
): Pick<ToolLabelling, 'operations'> {
  const operations = isCatalogued ? undefined : operationsOf(inputSchema, labels)
  return operations ? { operations } : {}
}

const NOTHING: Claims = { labels: {} }

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
