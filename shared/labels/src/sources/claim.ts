import {
  CAPABILITIES,
  CONFIDENTIALITY_LABELS,
  REVERSIBILITIES,
  TRUSTS,
  type Capability,
  type ConfidentialityLabel,
  type Reversibility,
  type ToolLabels,
  type Trust,
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
  /** A few words for whoever reads the proposal. */
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
export function claimsOf(labels: ToolLabels, source: Source, confidence: number, reason: string): Claims {
  const claim = <K extends LabelName>(value: LabelValues[K]): Claim<K> => ({
    value,
    source,
    confidence,
    reason,
  })
  return {
    labels: {
      capability: claim(labels.capability),
      ...(labels.confidentiality && { confidentiality: claim(labels.confidentiality) }),
      ...(labels.trust && { trust: claim(labels.trust) }),
      reversibility: claim(labels.reversibility),
    },
    ...(labels.tags && { tags: labels.tags }),
  }
}
