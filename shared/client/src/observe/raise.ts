import {
  type ClaimedLabels,
  type Confidentiality,
  type SignalName,
  type Signals,
  type Taint,
  CAPABILITIES,
  CONFIDENTIALITIES,
  REVERSIBILITIES,
  TAINTS,
  TRUSTS,
} from '@plimsoll/contracts'

/** Tags of one claim: the cap of the label schema. */
const TAGS_MAX = 16

/** The higher of both claims for each label. Omits a confidentiality of `none`, which is the same as leaving it out. */
export function raiseClaims(
  a: ClaimedLabels | undefined,
  b: ClaimedLabels | undefined,
): ClaimedLabels | undefined {
  if (!a || !b) return withoutNone(a ?? b)
  const tags = joinTags(a.tags ?? [], b.tags ?? [])
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

/** A list that is too long is passed on as it is, so that the schema rejects it instead of a silent cut. */
function joinTags(a: readonly string[], b: readonly string[]): string[] {
  const tooLong = [a, b].find(({ length }) => length > TAGS_MAX)
  return tooLong ? [...tooLong] : [...new Set([...a, ...b])].slice(0, TAGS_MAX)
}

/** The later of the two in `order`; undefined is the lowest. */
function higher<T>(order: readonly T[], a: T | undefined, b: T | undefined): T | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return order.indexOf(a) >= order.indexOf(b) ? a : b
}

export const raiseTaint = (a: Taint | undefined, b: Taint | undefined): Taint | undefined =>
  higher(TAINTS, a, b)

export const raiseConfidentiality = (
  a: Confidentiality | undefined,
  b: Confidentiality | undefined,
): Confidentiality | undefined => higher(CONFIDENTIALITIES, a, b)

/** Undefined for `none` too. */
export const confidentialityOf = (labels: ClaimedLabels | undefined): Confidentiality | undefined =>
  labels?.confidentiality === 'none' ? undefined : labels?.confidentiality

/** The higher value of each signal. */
export function raiseSignals(a: Signals | undefined, b: Signals | undefined): Signals | undefined {
  if (!a || !b) return a ?? b
  const most: Signals = { ...a }
  for (const [name, value] of Object.entries(b) as [SignalName, number][])
    most[name] = Math.max(most[name] ?? 0, value)
  return most
}
