import { type CategoryModel, fitting } from '@plimsoll/labels'

const { weightsText, wordOf, wordsText } = fitting

/** A number for each word that `least` texts have at least, by its hash. */
export function vocabularyOf(
  texts: readonly (readonly number[])[],
  least: number,
): ReadonlyMap<number, number> {
  const hashes = [...countsOf(texts.flat())].filter(([, count]) => count >= least).map(([hash]) => hash)
  return new Map(hashes.sort((a, b) => a - b).map((hash, feature) => [hash, feature]))
}

export function countsOf<T>(values: readonly T[]): Map<T, number> {
  const counts = new Map<T, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

/** A classifier of one kind of text, with a weight for each feature of the vocabulary. */
export interface FittedKind {
  readonly category: string
  readonly bias: number
  readonly weights: ArrayLike<number>
}

export interface Packing {
  /** Words kept: those with the largest weights, times their importance. */
  readonly kept: number
  /** How much a word counts, by its feature. Default: all the same. */
  readonly importance?: (feature: number) => number
  /** Weights are rounded to so many steps on each side of zero, 127 at most. */
  readonly steps: number
  readonly threshold: number
}

/** The model of some kinds, with the words that matter most to any of them. */
export function packModel(
  vocabulary: ReadonlyMap<number, number>,
  kinds: readonly FittedKind[],
  { kept, importance = () => 1, steps, threshold }: Packing,
): CategoryModel {
  const strength = (feature: number): number =>
    importance(feature) * Math.max(...kinds.map(({ weights }) => Math.abs(weights[feature] ?? 0)))
  const strongest = [...vocabulary]
    .map(([hash, feature]) => ({ word: wordOf(hash), hash, feature, by: strength(feature) }))
    .sort((a, b) => b.by - a.by || a.hash - b.hash)
    .slice(0, kept)
  // Of words with one number the strongest stays.
  const words = [...new Map(strongest.toReversed().map((each) => [each.word, each])).values()].sort(
    (a, b) => a.word - b.word,
  )
  return {
    format: 2,
    words: wordsText(words.map(({ word }) => word)),
    kinds: kinds.map(({ category, bias, weights }) => {
      const own = words.map(({ feature }) => weights[feature] ?? 0)
      const scale = Number((Math.max(1e-6, ...own.map(Math.abs)) / steps).toPrecision(6))
      return {
        category,
        bias: Number(bias.toFixed(4)),
        scale,
        weights: weightsText(own.map((weight) => Math.round(weight / scale))),
      }
    }),
    threshold,
  }
}
