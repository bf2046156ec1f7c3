import type { CatalogueEntry, ClaimedLabels, ToolLabels } from '@plimsoll/contracts'
import { ESCALATIONS, REVERSIBILITIES } from './naive-levels.js'

const CONFIDENTIALITIES = ['public', 'internal', 'sensitive', 'credentials'] as const
const CAPABILITIES = ['read', 'write', 'execute', 'network'] as const
const TRUSTS = ['trusted', 'untrusted'] as const

/** A catalogue may contradict itself: its least labels always count. */
export const worstOf = (entry: CatalogueEntry | undefined): ToolLabels | undefined =>
  entry && raised(entry.labels, entry.least)

export const higher = (order: readonly string[], a: string, b: string): string =>
  order.indexOf(b) > order.indexOf(a) ? b : a

export const escalationOf = ({ capability }: ToolLabels): string =>
  ESCALATIONS[CAPABILITIES.indexOf(capability)] ?? ''

/** `labels`, each raised to the claimed one if that is higher. */
export function raised(labels: ToolLabels, claimed: ClaimedLabels = {}): ToolLabels {
  const confidentiality = most(CONFIDENTIALITIES, labels.confidentiality, claimed.confidentiality)
  const trust = most(TRUSTS, labels.trust, claimed.trust)
  return {
    capability: most(CAPABILITIES, labels.capability, claimed.capability) ?? labels.capability,
    reversibility: most(REVERSIBILITIES, labels.reversibility, claimed.reversibility) ?? labels.reversibility,
    ...(confidentiality && { confidentiality }),
    ...(trust && { trust }),
  }
}

const most = <T extends string>(order: readonly T[], a: T | undefined, b: T | undefined): T | undefined =>
  order.findLast((each) => each === a || each === b)
