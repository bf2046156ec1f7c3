import {
  type Capability,
  type Catalogue,
  type Reversibility,
  type ToolLabels,
  claimedLabelsSchema,
} from '@plimsoll/contracts'
import { createLabeller } from '../observer.js'
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
import { type Action, ACTIONS, actionOfVerb } from './heuristics/actions.js'
import { heuristicClaims } from './heuristics/result.js'
import { choicesIn } from './heuristics/schema.js'
import { defaultReadingOf } from './values.js'
import { wordsOf } from './words-of.js'
import { readSet } from '../text/data.js'

/** What an argument chooses from: members of a catalogue's entry, beside the labels of the worst choice. */
export interface Operations {
  readonly argument: string
  readonly least: ToolLabels
  readonly choices: readonly {
    readonly value: string
    readonly labels: { readonly capability: Capability; readonly reversibility: Reversibility }
  }[]
}

/**
 * The operations of a tool that does several, by an argument that lists them, where some are milder than `labels`. Only what a value's own
 * word says counts: of any other value, and of none, the entry's labels do. Undefined where another argument is read by its name: an entry
 * with rules of its own would leave that reading out.
 */
export function operationsOf(schema: unknown, labels: ToolLabels): Operations | undefined {
  const { arguments: names, choices } = choicesIn(schema)
  const [argument, ...others] = [...new Set(choices.map((choice) => choice.argument))]
  if (argument === undefined || others.length > 0) return undefined
  if (names.some((name) => name !== argument && defaultReadingOf(name) !== undefined)) return undefined
  const known = choices.map(({ value, action }) => ({ value, labels: ofAction(action) }))
  const isMilder = ({
    capability,
    reversibility,
  }: Pick<ToolLabels, 'capability' | 'reversibility'>): boolean =>
    worseBy('capability', capability, labels.capability) <= 0 &&
    worseBy('reversibility', reversibility, labels.reversibility) <= 0
  const least = known.find((choice) => choice.labels.capability === 'read' && isMilder(choice.labels))
  if (!least) return undefined
  return {
    argument,
    least: { ...labels, ...least.labels },
    choices: known.filter((choice) => isMilder(choice.labels)),
  }
}

const ofAction = (action: Action): Operations['choices'][number]['labels'] => {
  const { capability, reversibility } = ACTIONS[action]
  return { capability, reversibility }
}

/** Under which key of a tool's `_meta` a server may label it: an object of Plimsoll's labels, any of them left out. */
export const META_KEY = 'dev.plimsoll/labels'

/** The labels under that key. If a part of them is invalid, all are ignored. */
function metaClaims({ _meta }: ToolDefinition): Claims {
  const result = claimedLabelsSchema.safeParse(_meta?.[META_KEY])
  return result.success ? claimsOf(result.data, 'meta', 0.9, 'the server says so') : NO_CLAIMS
}

/** Two sources that do not agree about a label. */
export interface Contradiction {
  readonly label: LabelName
  readonly kept: { readonly source: Source; readonly value: string }
  readonly other: { readonly source: Source; readonly value: string; readonly reason: string }
  /** Whether what was not kept is the worse: the tool may be more dangerous than it is labelled. */
  readonly isWorse: boolean
}

export interface Settled<K extends LabelName = LabelName> {
  readonly claim: Claim<K>
  readonly contradictions: readonly Contradiction[]
}

/** What is said of one label, by source. */
export interface LabelClaims<K extends LabelName> {
  readonly catalogue: Claim<K> | undefined
  readonly meta: Claim<K> | undefined
  readonly hints: readonly Hint<K>[]
  readonly heuristics: Claim<K> | undefined
  /** Whether what the server says of itself is believed against its own names. */
  readonly trustsServer: boolean
}

/** From here on a reading of the name is held against a server that says milder of itself. */
export const CONFIDENT = 0.7

/** Labels of an unknown tool: the worst that is usual. */
const UNKNOWN: LabelValues = {
  capability: 'write',
  confidentiality: 'internal',
  trust: 'untrusted',
  reversibility: 'partial',
}

/**
 * One label out of all that is said of it. The catalogue stands. Below it, the server's own labels go before the name, and hints narrow
 * what the name says; but neither makes a tool milder than its name says with confidence, unless the server is trusted.
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
 * A hint that a server gives to all of its tools alike says less than what a tool's own words say: that its world is open, where what comes
 * back is known; that it may destroy, where name and description both say that it looks.
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
  // A guess that is milder than what is known is no news.
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

/** Verbs that only look. `open`, `load`, `export` and `complete` often do more. */
const LOOKING = readSet('tools', 'looking')
/** Words that show that a name does more than look: `check_and_obliterate`, `get_rid_of_files`, `lookup_deprovision`. */
const DOES_MORE = readSet('tools', 'doesMore')

/** A catalogued tool keeps the catalogue's entry as it is. */
function operationsIn(
  { inputSchema }: ToolDefinition,
  labels: ToolLabels,
  isCatalogued: boolean,
): Pick<ToolLabelling, 'operations'> {
  const operations = isCatalogued ? undefined : operationsOf(inputSchema, labels)
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
