import type { FoundCategory } from '@plimsoll/contracts'
import { oddsOf, readyModel, sigmoid, wordOf } from '../text/word-model.js'
import type { CategoryModel } from './model.js'
import { categoryWords } from './words.js'

/** A word with positive evidence for a category, or negative evidence below 0. */
export interface DistinctiveWord {
  /** As written in the task. */
  readonly word: string
  /** Natural-log odds. */
  readonly odds: number
}

/** The category that a task resembles most, with the evidence. */
export interface CategoryReading {
  /** Undefined if the task resembles no category enough. */
  readonly found: FoundCategory | undefined
  readonly nearest: FoundCategory | undefined
  /** Number of distinct words in the task, and how many of them the model knows. */
  readonly words: number
  readonly known: number
  /** Evidence for the nearest category, strongest first. */
  readonly distinctive: readonly DistinctiveWord[]
}

/** If two categories are closer than this, neither is found. */
const APART = 0.2
/** Minimum number and share of known words. In an unfamiliar text, a few common words are no evidence. */
const KNOWN_MIN = 4
const KNOWN_SHARE_MIN = 0.5
/** Confidences in events are rounded to 1/1,000. */
const PLACES = 1_000

/**
 * The category of a task by its words; undefined if it resembles no known category, or two. Never throws. Reads the first 8,192 code units
 * in linear time.
 */
export function findCategory(task: string, model: CategoryModel): FoundCategory | undefined {
  return readCategory(task, model).found
}

/** Like `findCategory`, with the evidence. */
export function readCategory(task: string, model: CategoryModel): CategoryReading {
  const ready = readyModel(model)
  const { rows, categories, weights, threshold } = ready
  const words = categoryWords(task)
  const seen = words.flatMap(({ hash, start, end }) => {
    const row = rows.get(wordOf(hash))
    return row === undefined ? [] : [{ row, start, end }]
  })
  const kinds = categories.length
  const share = 1 / Math.sqrt(Math.max(words.length, 1))
  const odds = oddsOf(
    ready,
    seen.map(({ row }) => row),
    words.length,
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
