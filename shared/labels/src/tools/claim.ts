import {
  type Capability,
  type ClaimedLabels,
  type ConfidentialityLabel,
  type Reversibility,
  type ToolLabels,
  type Trust,
  CAPABILITIES,
  CONFIDENTIALITY_LABELS,
  REVERSIBILITIES,
  TRUSTS,
} from '@plimsoll/contracts'

/** Where a label comes from, most trusted first. `unknown`: no source has a label, so the worst of the usual values is taken. */
export const SOURCES = ['catalogue', 'meta', 'annotations', 'heuristics', 'unknown'] as const
export type Source = (typeof SOURCES)[number]

/** The four labels with their values. Confidentiality `none`: the tool returns nothing confidential. */
export interface LabelValues {
  readonly capability: Capability
  readonly confidentiality: ConfidentialityLabel
  readonly trust: Trust
  readonly reversibility: Reversibility
}
export type LabelName = keyof LabelValues

/** The values of each label, mildest first. */
export const RANKS: { readonly [K in LabelName]: readonly LabelValues[K][] } = {
  capability: CAPABILITIES,
  confidentiality: CONFIDENTIALITY_LABELS,
  trust: TRUSTS,
  reversibility: REVERSIBILITIES,
}
export const LABEL_NAMES = ['capability', 'confidentiality', 'trust', 'reversibility'] as const

/** How many ranks `a` is worse than `b`; negative if it is milder. */
export const worseBy = <K extends LabelName>(label: K, a: LabelValues[K], b: LabelValues[K]): number =>
  RANKS[label].indexOf(a) - RANKS[label].indexOf(b)

/** A label's value with its source, its confidence (0…1) and the reason. */
export interface Claim<K extends LabelName = LabelName> {
  readonly value: LabelValues[K]
  readonly source: Source
  readonly confidence: number
  /** A few words for the reviewer of the proposal. */
  readonly reason: string
  /** Whether name and description agree. */
  readonly isAgreed?: true
}

/** The claims of one source; any label may be missing. */
export interface Claims {
  readonly labels: { readonly [K in LabelName]?: Claim<K> }
  readonly tags?: readonly string[]
}

/** Turns labels into claims of one source. A missing label makes no claim. */
export const claimsOf = (
  { tags, ...labels }: ClaimedLabels,
  source: Source,
  confidence: number,
  reason: string,
): Claims => ({
  labels: Object.fromEntries(
    LABEL_NAMES.filter((name) => labels[name]).map((name) => [
      name,
      { value: labels[name], source, confidence, reason },
    ]),
  ),
  ...(tags && { tags }),
})

/** A bound on a label's value. */
export interface Hint<K extends LabelName = LabelName> {
  readonly label: K
  readonly value: LabelValues[K]
  /** Whether `value` is the lower or the upper bound. */
  readonly bound: 'atLeast' | 'atMost'
  readonly reason: string
}

/**
 * The bounds that MCP annotations set on the labels. A missing hint sets none, whatever its default in MCP. `openWorldHint: false` says
 * little about who wrote the content, and `true` does not always mean network access.
 */
export function hintsOf(annotations: ToolAnnotations | undefined): readonly Hint[] {
  const { readOnlyHint, destructiveHint, openWorldHint } = annotations ?? {}
  const hints: Hint[] = []
  if (readOnlyHint === true) {
    const reason = 'readOnlyHint'
    // A tool that only reads may still use the network.
    const most = openWorldHint === false ? 'read' : 'network'
    hints.push({ label: 'capability', value: most, bound: 'atMost', reason })
    hints.push({ label: 'reversibility', value: 'reversible', bound: 'atMost', reason })
  }
  if (readOnlyHint === false)
    hints.push({ label: 'capability', value: 'write', bound: 'atLeast', reason: 'not readOnlyHint' })
  if (destructiveHint === true && readOnlyHint !== true) {
    hints.push({ label: 'capability', value: 'write', bound: 'atLeast', reason: 'destructiveHint' })
    hints.push({ label: 'reversibility', value: 'partial', bound: 'atLeast', reason: 'destructiveHint' })
  }
  if (readOnlyHint === false) {
    if (destructiveHint === false)
      hints.push({ label: 'reversibility', value: 'partial', bound: 'atMost', reason: 'not destructiveHint' })
  }
  if (openWorldHint === true)
    hints.push({ label: 'trust', value: 'untrusted', bound: 'atLeast', reason: 'openWorldHint' })
  return hints
}

/** MCP's tool annotations. The server declares them itself, so they are not trusted. */
export interface ToolAnnotations {
  readonly title?: string | undefined
  readonly readOnlyHint?: boolean | undefined
  readonly destructiveHint?: boolean | undefined
  readonly idempotentHint?: boolean | undefined
  readonly openWorldHint?: boolean | undefined
  readonly [name: string]: unknown
}

/** A tool as MCP lists it. Only the name is required. */
export interface ToolDefinition {
  readonly name: string
  readonly description?: string | undefined
  /** JSON Schema of the arguments. */
  readonly inputSchema?: unknown
  readonly annotations?: ToolAnnotations | undefined
  readonly _meta?: Readonly<Record<string, unknown>> | undefined
}

/** The value of a label. A missing one means: nothing confidential, from a trusted source. */
export const valueOf = <K extends LabelName>(labels: ToolLabels, label: K): LabelValues[K] =>
  ({ confidentiality: 'none', trust: 'trusted', ...labels })[label] as LabelValues[K]
