import { type CategoryModel, fitting } from '@plimsoll/labels'
import { type Logistic, type Row, fitLogistic } from './instructions/logistic.js'

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

/** A text of a fit: the features that its words have, and what each of them counts, as `oddsOf` counts it. */
export interface FittedText {
  readonly features: readonly number[]
  readonly share: number
}

export const fittedText = (
  vocabulary: ReadonlyMap<number, number>,
  words: readonly number[],
): FittedText => ({
  features: words.flatMap((word) => vocabulary.get(word) ?? []),
  share: 1 / Math.sqrt(Math.max(words.length, 1)),
})

export const rowOf = ({ features, share }: FittedText, positive: boolean, weight = 1): Row => ({
  features,
  values: features.map(() => share),
  positive,
  weight,
})

const RIDGE = 1 / 30
/** Steady: the rows are few, and most words are in few of them. */
const RATE = (): number => 1

export const fitWords = (
  rows: readonly Row[],
  { size }: ReadonlyMap<number, number>,
  options: { readonly passes: number; readonly seed: number },
): Logistic => fitLogistic(rows, { featureCount: size, ridge: () => RIDGE, rate: RATE, ...options })

/** How much a word counts where room is short: more, the more of `texts` have it. */
export function importanceIn(texts: readonly FittedText[]): (feature: number) => number {
  const counts = countsOf(texts.flatMap(({ features }) => features))
  return (feature) => Math.sqrt(counts.get(feature) ?? 0)
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
