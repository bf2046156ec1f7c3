import type { FoundCategory } from '@plimsoll/contracts'
import { sigmoid } from '../instructions/score.js'
import { readyModel, type CategoryModel } from './model.js'
import { categoryWords } from './words.js'

/** A word that speaks for a kind or, below 0, against it. */
export interface DistinctiveWord {
  /** As it stands in the task. */
  readonly word: string
  /** Natural-log odds. */
  readonly odds: number
}

/** The kind of work that a task is most like, and why. */
export interface CategoryReading {
  /** Undefined where the task is not enough like any kind. */
  readonly found: FoundCategory | undefined
  readonly nearest: FoundCategory | undefined
  /** The different words of the task, and how many of them the model knows. */
  readonly words: number
  readonly known: number
  /** Of the nearest kind, the most telling first. */
  readonly distinctive: readonly DistinctiveWord[]
}

/** Two categories as like as this are none. */
const APART = 0.2
/** So many words of the task must be known, and this share of them: of a text that is new, a few common words tell nothing. */
const KNOWN_MIN = 4
const KNOWN_SHARE_MIN = 0.5
/** What becomes of a confidence in an event. */
const PLACES = 1_000

/**
 * The category of a task, by its words; undefined where it is like no kind of work that the model knows, or like two. Throws nothing;
 * linear in the first 8,192 code units, beyond which it does not read.
 */
export function findCategory(task: string, model: CategoryModel): FoundCategory | undefined {
  return readCategory(task, model).found
}

/** As `findCategory`, with what speaks for it. */
export function readCategory(task: string, model: CategoryModel): CategoryReading {
  const { rows, categories, bias, weights, threshold } = readyModel(model)
  const words = categoryWords(task)
  const seen = words.flatMap(({ hash, start, end }) => {
    const row = rows.get(hash)
    return row === undefined ? [] : [{ row, start, end }]
  })
  const kinds = categories.length
  // Unknown words count, too: a few known ones in much that is new say little.
  const share = 1 / Math.sqrt(Math.max(words.length, 1))
  const odds = bias.map(
    (own, k) => own + share * seen.reduce((sum, { row }) => sum + (weights[row * kinds + k] ?? 0), 0),
  )
  const best = odds.reduce((top, own, k) => (own > (odds[top] ?? -Infinity) ? k : top), 0)
  const nearest = resultOf(categories[best], odds[best])
  const rival = odds.reduce(
    (top, own, k) => (categories[k] === categories[best] ? top : Math.max(top, own)),
    -Infinity,
  )
  const isKnown = seen.length >= Math.max(KNOWN_MIN, KNOWN_SHARE_MIN * words.length)
  const isFound =
    isKnown && nearest && nearest.confidence >= threshold && nearest.confidence - sigmoid(rival) >= APART
  return {
    found: isFound ? nearest : undefined,
    nearest,
    words: words.length,
    known: seen.length,
    distinctive: seen
      .map(({ row, start, end }) => ({
        word: task.slice(start, end),
        odds: share * (weights[row * kinds + best] ?? 0),
      }))
      .sort((a, b) => Math.abs(b.odds) - Math.abs(a.odds)),
  }
}

const resultOf = (category: string | undefined, odds = -Infinity): FoundCategory | undefined =>
  category === undefined ? undefined : { category, confidence: Math.round(sigmoid(odds) * PLACES) / PLACES }
