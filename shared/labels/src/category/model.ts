import { PlimsollError } from '@plimsoll/contracts'
import { readJsonFile } from '../text/json-file.js'

/**
 * A fitted model of task categories, as plain data. Each category has its own classifier against all other tasks, so a task may have none.
 * `words` holds word hashes only: ascending unsigned 32-bit integers, little-endian, in Base64. `weights` holds a signed byte per word in
 * Base64, to be multiplied by `scale`: natural-log odds.
 */
export interface CategoryModel {
  readonly format: 1
  readonly words: string
  readonly kinds: readonly KindModel[]
  /** Probability from which on a category is found. */
  readonly threshold: number
}

export interface KindModel {
  readonly category: string
  readonly bias: number
  readonly scale: number
  readonly weights: string
}

const WORD_BYTES = 4
const KINDS_MAX = 64
const WORDS_MAX = 16_384
const CATEGORY_UNITS_MAX = 64

/**
 * Parses a model from JSON.
 *
 * @throws PlimsollError `document_invalid` for content that this version cannot use
 */
export function parseCategoryModel(content: unknown): CategoryModel {
  const problem = problemOf(content)
  if (problem !== undefined) throw new PlimsollError('document_invalid', `category model: ${problem}`)
  return content as CategoryModel
}

function problemOf(content: unknown): string | undefined {
  if (typeof content !== 'object' || content === null) return 'expected an object'
  const { format, words, kinds, threshold } = content as Partial<Record<string, unknown>>
  if (format !== 1) return 'format: expected 1'
  const count = typeof words === 'string' ? bytesOf(words).length / WORD_BYTES : Number.NaN
  if (!Number.isInteger(count) || count > WORDS_MAX) return 'words: expected up to 16,384 hashes'
  if (!Array.isArray(kinds) || kinds.length > KINDS_MAX) return 'kinds: expected up to 64'
  const odd = kinds.findIndex((kind) => !isKind(kind, count))
  if (odd >= 0) return `kinds.${odd}: expected category, bias, scale and a weight for each word`
  const inRange = isFinite(threshold) && threshold > 0 && threshold < 1
  return inRange ? undefined : 'threshold: expected a number between 0 and 1'
}

function isKind(kind: unknown, words: number): boolean {
  if (typeof kind !== 'object' || kind === null) return false
  const { category, bias, scale, weights } = kind as Partial<Record<string, unknown>>
  return (
    typeof category === 'string' &&
    category !== '' &&
    category.length <= CATEGORY_UNITS_MAX &&
    isFinite(bias) &&
    isFinite(scale) &&
    typeof weights === 'string' &&
    bytesOf(weights).length === words
  )
}

const isFinite = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

const bytesOf = (text: string): Buffer => Buffer.from(text, 'base64')

/** A decoded model. `weights[row × K + k]` is the weight of category k for the word with that `row`. */
export interface ReadyModel {
  readonly rows: ReadonlyMap<number, number>
  readonly categories: readonly string[]
  readonly bias: Float64Array
  readonly weights: Float64Array
  readonly threshold: number
}

const ready = new WeakMap<CategoryModel, ReadyModel>()

/** Decodes each model once. */
export function readyModel(model: CategoryModel): ReadyModel {
  const known = ready.get(model)
  if (known) return known
  const bytes = bytesOf(model.words)
  const rows = new Map<number, number>()
  for (let at = 0; at < bytes.length; at += WORD_BYTES) rows.set(bytes.readUInt32LE(at), at / WORD_BYTES)
  const { kinds } = model
  const weights = new Float64Array(rows.size * kinds.length)
  for (const [k, { scale, weights: text }] of kinds.entries())
    for (const [row, byte] of bytesOf(text).entries())
      weights[row * kinds.length + k] = scale * (byte >= 128 ? byte - 256 : byte)
  const made: ReadyModel = {
    rows,
    categories: kinds.map(({ category }) => category),
    bias: Float64Array.from(kinds, ({ bias }) => bias),
    weights,
    threshold: model.threshold,
  }
  ready.set(model, made)
  return made
}

/** Location of the shipped model. */
export const SHIPPED_CATEGORY_MODEL = new URL('../../models/categories.json', import.meta.url)

let shipped: CategoryModel | undefined

/** The shipped model, read once. */
export function shippedCategoryModel(): CategoryModel {
  shipped ??= parseCategoryModel(readJsonFile(SHIPPED_CATEGORY_MODEL))
  return shipped
}
