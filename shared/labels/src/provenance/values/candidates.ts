import type { FingerprintLetter } from '@plimsoll/contracts'

/**
 * Tiers of values: lower ones come first, and values that do not fit are dropped from the end. Accounts, addresses and URLs say where
 * something goes. Parts of names and full forms of stemmed words only fill free room. Variants are possible hidden forms.
 */
export const TIERS = { target: 0, role: 1, id: 2, name: 3, weak: 4, part: 5, variant: 6 } as const
export type Tier = (typeof TIERS)[keyof typeof TIERS]
const TIER_COUNT = 7

/** Values found in one text. Reused: the content is valid until the next `clear`. */
export interface Candidates {
  count: number
  readonly start: Int32Array
  readonly end: Int32Array
  /** Character codes. */
  readonly letter: Uint8Array
  readonly tier: Uint8Array
  /** The candidates of each tier, in order. */
  readonly ofTier: readonly { count: number; readonly indices: Int32Array }[]
  clear(): void
  /** Adds `[start, end)` as a distinctive value. Ignored beyond `CANDIDATES_MAX`. */
  add(letter: FingerprintLetter, tier: Tier, start: number, end: number): void
  /** Drops those of `tier` for which `keeps` is false. */
  keep(tier: Tier, keeps: (start: number, end: number) => boolean): void
}

/** Limit of values per text; later ones are skipped. */
export const CANDIDATES_MAX = 4_096

export function createCandidates(): Candidates {
  const start = new Int32Array(CANDIDATES_MAX)
  const end = new Int32Array(CANDIDATES_MAX)
  const letter = new Uint8Array(CANDIDATES_MAX)
  const tier = new Uint8Array(CANDIDATES_MAX)
  const ofTier = Array.from({ length: TIER_COUNT }, () => ({
    count: 0,
    indices: new Int32Array(CANDIDATES_MAX),
  }))
  const self: Candidates = {
    count: 0,
    start,
    end,
    letter,
    tier,
    ofTier,
    clear: () => {
      self.count = 0
      for (const each of ofTier) each.count = 0
    },
    add: (kind, level, from, to) => {
      const at = self.count
      if (at >= CANDIDATES_MAX || to <= from) return
      start[at] = from
      end[at] = to
      letter[at] = kind.charCodeAt(0)
      tier[at] = level
      const members = ofTier[level]
      if (members) members.indices[members.count++] = at
      self.count = at + 1
    },
    keep: (tier, keeps) => {
      const members = ofTier[tier]
      if (!members) return
      const { indices, count } = members
      members.count = 0
      for (let i = 0; i < count; i++) {
        const at = indices[i] ?? 0
        if (keeps(start[at] ?? 0, end[at] ?? 0)) indices[members.count++] = at
      }
    },
  }
  return self
}

export const letterAt = ({ letter }: Candidates, at: number): FingerprintLetter =>
  String.fromCharCode(letter[at] ?? 0) as FingerprintLetter
