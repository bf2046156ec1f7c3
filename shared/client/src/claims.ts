import {
  CAPABILITIES,
  CONFIDENTIALITIES,
  REVERSIBILITIES,
  TAINTS,
  TRUSTS,
  type ClaimedLabels,
  type Confidentiality,
  type Taint,
} from '@plimsoll/contracts'

/** Tags of one claim: the label schema's own cap. */
const TAGS_MAX = 16

/** What both claims say: of each label the higher. `none` is left out, which says the same and is known to monitors of before it. */
export function raiseClaims(
  a: ClaimedLabels | undefined,
  b: ClaimedLabels | undefined,
): ClaimedLabels | undefined {
  if (!a || !b) return withoutNone(a ?? b)
  const tags = joined(a.tags ?? [], b.tags ?? [])
  return {
    capability: higher(CAPABILITIES, a.capability, b.capability),
    confidentiality: raiseConfidentiality(confidentialityOf(a), confidentialityOf(b)),
    trust: higher(TRUSTS, a.trust, b.trust),
    reversibility: higher(REVERSIBILITIES, a.reversibility, b.reversibility),
    ...(tags.length > 0 && { tags }),
  }
}

function withoutNone(labels: ClaimedLabels | undefined): ClaimedLabels | undefined {
  if (labels?.confidentiality !== 'none') return labels
  const { confidentiality: _, ...rest } = labels
  return rest
}

/** A list that holds too many is to be refused, not cut. */
function joined(a: readonly string[], b: readonly string[]): string[] {
  const tooLong = [a, b].find(({ length }) => length > TAGS_MAX)
  return tooLong ? [...tooLong] : [...new Set([...a, ...b])].slice(0, TAGS_MAX)
}

/** The later of the two in `order`; one that is left out is the lowest. */
function higher<T>(order: readonly T[], a: T | undefined, b: T | undefined): T | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return order.indexOf(a) >= order.indexOf(b) ? a : b
}

/** What both say that a result has done to its session: the higher. */
export const raiseTaint = (a: Taint | undefined, b: Taint | undefined): Taint | undefined =>
  higher(TAINTS, a, b)

/** The more confidential of the two. */
export const raiseConfidentiality = (
  a: Confidentiality | undefined,
  b: Confidentiality | undefined,
): Confidentiality | undefined => higher(CONFIDENTIALITIES, a, b)

/** Undefined for `none` too. */
export const confidentialityOf = (labels: ClaimedLabels | undefined): Confidentiality | undefined =>
  labels?.confidentiality === 'none' ? undefined : labels?.confidentiality
