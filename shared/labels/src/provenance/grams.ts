import { RESULT_FINGERPRINTS_MAX } from '@plimsoll/contracts'
import { HAS_INVISIBLE, HAS_WIDE } from '../text/characters.js'
import type { Tokens } from '../text/tokens.js'
import type { FingerprintList } from './fingerprint-list.js'
import { addNormal, createNormalForm } from './values/normal-form.js'

/** Words per passage. */
export const GRAM_WORDS = 4

const FIRST_CAPACITY = 2_048
const MIX = 0x9e3779b1
const UNUSUAL = HAS_WIDE | HAS_INVISIBLE

/**
 * Chooses passages of `GRAM_WORDS` words by winnowing (Schleimer, Wilkerson and Aiken, 2003): the passage of least rank in each window. The
 * author of the text does not know the seed of the ranks. The window grows with the text, so that about `budget` passages are chosen.
 * A narrower window also chooses what a wider one chooses, so that a long source and a short copy match.
 */
export interface GramPicker {
  /** The first tokens of the chosen passages in `[from, to)`, in order: `picked[0…result)`. */
  pick(tokens: Tokens, range: readonly [from: number, to: number], budget: number, seed: number): number
  readonly picked: Int32Array
}

export function createGramPicker(): GramPicker {
  const picked = new Int32Array(RESULT_FINGERPRINTS_MAX)
  let ranks = new Int32Array(FIRST_CAPACITY)
  let suffix = new Int32Array(FIRST_CAPACITY)

  function pick(
    tokens: Tokens,
    [from, to]: readonly [from: number, to: number],
    budget: number,
    seed: number,
  ): number {
    const count = to - from - GRAM_WORDS + 1
    if (count <= 0 || budget <= 0) return 0
    const most = Math.min(budget, picked.length)
    if (count <= most) {
      for (let i = 0; i < count; i++) picked[i] = from + i
      return count
    }
    if (ranks.length < to - from) grow(to - from)
    rankStretches(tokens, from, from + count, seed)
    return winnow(count, from, Math.ceil((2 * count) / most), most)
  }

  /**
   * Finds the least rank of each window, the last of equals: the minimum over its parts in two neighbouring blocks of `window` passages. Linear
   * for any ranks (van Herk, 1992).
   */
  function winnow(count: number, from: number, window: number, most: number): number {
    let chosen = 0
    let last = -1
    for (let block = 0; block < count; block += window) {
      const end = Math.min(count, block + window)
      let least = block
      for (let i = block; i < end; i++) {
        if ((ranks[i] ?? 0) <= (ranks[least] ?? 0)) least = i
        // A window that ends here may have begun in the previous block.
        const before = i + 1 < end && block > 0 ? (suffix[i + 1 - block] ?? 0) : least
        const best = (ranks[before] ?? 0) < (ranks[least] ?? 0) ? before : least
        if (best === last || (block === 0 && i < end - 1)) continue
        last = best
        picked[chosen++] = from + best
        if (chosen === most) return chosen
      }
      keepSuffixes(block, end)
    }
    return chosen
  }

  /** Computes, for each position of the block, the minimum from there to its end. */
  function keepSuffixes(block: number, end: number): void {
    let least = end - 1
    for (let i = end - 1; i >= block; i--) {
      if ((ranks[i] ?? 0) < (ranks[least] ?? 0)) least = i
      suffix[i - block] = least
    }
  }

  /** Ranks a passage by its first two words, which is enough to choose; equality uses all words. */
  function rankStretches(tokens: Tokens, from: number, to: number, seed: number): void {
    let first = rankOf(tokens, from, seed)
    for (let i = from; i < to; i++) {
      const second = rankOf(tokens, i + 1, seed)
      ranks[i - from] = Math.imul(first + (second >>> 7), MIX)
      first = second
    }
  }

  function grow(size: number): void {
    const capacity = 2 ** Math.ceil(Math.log2(size))
    ranks = new Int32Array(capacity)
    suffix = new Int32Array(capacity)
  }

  return { pick, picked }
}

const form = createNormalForm()

/** Rank of a word by its length and ends, ignoring case; enough to distinguish most words. */
function rankOf({ units, start, end, flags }: Tokens, at: number, seed: number): number {
  const first = start[at] ?? 0
  const after = end[at] ?? 0
  if (((flags[at] ?? 0) & UNUSUAL) !== 0) return formRank(units, first, after, seed)
  const ends = (((units[first] ?? 0) | 32) << 8) | ((units[after - 1] ?? 0) | 32)
  return Math.imul(((after - first) << 16) ^ ends ^ seed, MIX)
}

/** Rank of a word with characters beyond ASCII. */
function formRank(units: Uint16Array, first: number, after: number, seed: number): number {
  form.length = 0
  addNormal(form, units, first, after)
  const { bytes, length } = form
  const ends = (((bytes[0] ?? 0) | 32) << 8) | ((bytes[Math.max(0, length - 1)] ?? 0) | 32)
  return Math.imul((length << 16) ^ ends ^ seed, MIX)
}

const picker = createGramPicker()

/** With a wider window, a copied passage of about twenty words might share no passage with its source. */
const DISTINCTIVE_WINDOW_MAX = 16

/** Adds at most about `budget` passages of the tokens `[from, to)`. Marks the list as incomplete if too few fit. */
export function addGrams(
  list: FingerprintList,
  tokens: Tokens,
  range: readonly [from: number, to: number],
  budget: number,
  seed: number,
): void {
  const chosen = picker.pick(tokens, range, budget, seed)
  const stretches = range[1] - range[0] - GRAM_WORDS + 1
  const most = Math.min(budget, picker.picked.length)
  if (stretches > most && (chosen >= most || 2 * stretches > DISTINCTIVE_WINDOW_MAX * most))
    list.markPartial()
  for (let i = 0; i < chosen; i++) {
    const first = picker.picked[i] ?? 0
    list.add('g', tokens.units, tokens.start[first] ?? 0, tokens.end[first + GRAM_WORDS - 1] ?? 0)
  }
}
