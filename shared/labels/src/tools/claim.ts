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

/** Where a label comes from, the most trusted first. `unknown`: nothing says anything, and the worst of the ordinary is taken. */
export const SOURCES = ['catalogue', 'meta', 'annotations', 'heuristics', 'unknown'] as const
export type Source = (typeof SOURCES)[number]

/** The four labels with their values. Confidentiality `none`: what it returns is nothing of note. */
export interface LabelValues {
  readonly capability: Capability
  readonly confidentiality: ConfidentialityLabel
  readonly trust: Trust
  readonly reversibility: Reversibility
}
export type LabelName = keyof LabelValues

/** Each label's values, the mildest first. */
export const RANKS: { readonly [K in LabelName]: readonly LabelValues[K][] } = {
  capability: CAPABILITIES,
  confidentiality: CONFIDENTIALITY_LABELS,
  trust: TRUSTS,
  reversibility: REVERSIBILITIES,
}
export const LABEL_NAMES = ['capability', 'confidentiality', 'trust', 'reversibility'] as const

/** How much worse `a` is than `b`: negative where it is milder. */
export const worseBy = <K extends LabelName>(label: K, a: LabelValues[K], b: LabelValues[K]): number =>
  RANKS[label].indexOf(a) - RANKS[label].indexOf(b)

/** A value of a label with who says so, how sure that is (0…1), and why. */
export interface Claim<K extends LabelName = LabelName> {
  readonly value: LabelValues[K]
  readonly source: Source
  readonly confidence: number
  /** A few words for anyone who reads the proposal. */
  readonly reason: string
  /** Whether name and description both say it. */
  readonly isAgreed?: true
}

/** What one source says; it may be silent on any label. */
export interface Claims {
  readonly labels: { readonly [K in LabelName]?: Claim<K> }
  readonly tags?: readonly string[]
}

/** Labels as claims of one source. Of what a document leaves out it claims nothing. */
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

/** What a hint says of a label: not its value, but where it lies. */
export interface Hint<K extends LabelName = LabelName> {
  readonly label: K
  readonly value: LabelValues[K]
  /** Whether the value is the least or the most that the label is. */
  readonly bound: 'atLeast' | 'atMost'
  readonly reason: string
}

/**
 * What MCP's annotations say, where they say it: a hint that is left out says nothing, whatever its default. They narrow what the name
 * says. That the world is closed says little of who wrote what is in it, and an open world is not always the network.
 */
export function hintsOf(annotations: ToolAnnotations | undefined): readonly Hint[] {
  const { readOnlyHint, destructiveHint, openWorldHint } = annotations ?? {}
  const hints: Hint[] = []
  if (readOnlyHint === true) {
    const reason = 'readOnlyHint'
    // A reader may still go out into the world to read.
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

/** The hints of MCP. A server says them of itself: nothing vouches for them. */
export interface ToolAnnotations {
  readonly title?: string | undefined
  readonly readOnlyHint?: boolean | undefined
  readonly destructiveHint?: boolean | undefined
  readonly idempotentHint?: boolean | undefined
  readonly openWorldHint?: boolean | undefined
  readonly [name: string]: unknown
}

/** A tool as MCP lists it, or as much as is known of it: a name alone will do. */
export interface ToolDefinition {
  readonly name: string
  readonly description?: string | undefined
  /** JSON Schema of the arguments. */
  readonly inputSchema?: unknown
  readonly annotations?: ToolAnnotations | undefined
  readonly _meta?: Readonly<Record<string, unknown>> | undefined
}

/** A label of a document, where what is left out is nothing of note, from a trusted source. */
export const valueOf = <K extends LabelName>(labels: ToolLabels, label: K): LabelValues[K] =>
  ({ confidentiality: 'none', trust: 'trusted', ...labels })[label] as LabelValues[K]
