import { type Proportion, wilson } from '@plimsoll/chains'

/** Counts of two yes-or-no opinions on the same items: the tested opinion, and the other as its reference. */
export interface Opinions {
  readonly both: number
  /** Yes by the tested opinion alone. */
  readonly tested: number
  /** Yes by the other alone. */
  readonly other: number
  readonly neither: number
}

/** How far two opinions agree. A share of nothing is NaN. */
export interface Agreement extends Opinions {
  readonly items: number
  /** Share of the items on which they agree. */
  readonly agreed: Proportion
  /** Share of the tested yes that the other confirms. */
  readonly precision: Proportion
  /** Share of the other's yes that the tested one has. */
  readonly recall: Proportion
  /** Agreement beyond chance: 0 by chance, 1 complete. NaN where both always say the same. Source: Cohen 1960. */
  readonly kappa: number
}

/** @param pairs a pair an item: whether the tested one says yes, whether the other does */
export function agreementOf(pairs: Iterable<readonly [tested: boolean, other: boolean]>): Agreement {
  const counts = { both: 0, tested: 0, other: 0, neither: 0 }
  for (const [tested, other] of pairs)
    counts[tested ? (other ? 'both' : 'tested') : other ? 'other' : 'neither']++
  const { both, tested, other, neither } = counts
  const items = both + tested + other + neither
  return {
    ...counts,
    items,
    agreed: wilson(both + neither, items),
    precision: wilson(both, both + tested),
    recall: wilson(both, both + other),
    kappa: kappaOf(counts, items),
  }
}

function kappaOf({ both, tested, other, neither }: Opinions, items: number): number {
  const yes = (both + tested) * (both + other)
  const no = (neither + other) * (neither + tested)
  const byChance = (yes + no) / items ** 2
  return byChance === 1 ? Number.NaN : ((both + neither) / items - byChance) / (1 - byChance)
}
