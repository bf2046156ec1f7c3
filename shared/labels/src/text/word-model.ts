import { PlimsollError } from '@plimsoll/contracts'

/**
 * A fitted linear model of texts by their words, as plain data: for each kind of text a classifier of its own against all others, so a text
 * may be of none. `words` holds hashes of 24 bits only, ascending: the gap from each to the next in base 36, with spaces between. `weights`
 * holds a character for each word, U+0120 and a number from -127 to 127 above it, to be multiplied by `scale`: natural-log odds.
 */
export interface WordModel {
  readonly format: 2
  readonly words: string
  readonly kinds: readonly KindModel[]
  /** Probability from which on a text is of a kind. */
  readonly threshold: number
}

export interface KindModel {
  readonly category: string
  readonly bias: number
  readonly scale: number
  readonly weights: string
}

export const sigmoid = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds))

const KINDS_MAX = 64
const WORDS_MAX = 16_384
const CATEGORY_UNITS_MAX = 64

/**
 * Parses a model from JSON; `what` names it in errors.
 *
 * @throws PlimsollError `document_invalid` for content that this version cannot use
 */
export function parseWordModel(content: unknown, what: string): WordModel {
  const problem = problemOf(content)
  if (problem !== undefined) throw new PlimsollError('document_invalid', `${what}: ${problem}`)
  return content as WordModel
}

function problemOf(content: unknown): string | undefined {
  if (typeof content !== 'object' || content === null) return 'expected an object'
  const { format, words, kinds, threshold } = content as Partial<Record<string, unknown>>
  if (format !== 2) return 'format: expected 2'
  const count = typeof words === 'string' ? countOf(words) : Number.NaN
  if (!(count <= WORDS_MAX)) return 'words: expected up to 16,384 gaps in base 36'
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
    weights.length === words &&
    WEIGHTS.test(weights)
  )
}

const isFinite = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

/** The number of words; NaN if a gap is none. */
const countOf = (words: string): number =>
  words === '' ? 0 : /^[\da-z]{1,5}(?: [\da-z]{1,5})*$/.test(words) ? words.split(' ').length : Number.NaN

const WEIGHT_ZERO = 0x120
/** From -127 to 127. */
const WEIGHTS = /^[\u00a1-\u019f]*$/

/** The part of a hash of 32 bits by which a model knows a word. */
export const wordOf = (hash: number): number => hash >>> 8

/** `words` and `weights` as a model has them: ascending numbers of `wordOf`, and whole numbers from -127 to 127. */
export const wordsText = (words: readonly number[]): string =>
  words.map((word, i) => (word - (words[i - 1] ?? 0)).toString(36)).join(' ')
export const weightsText = (weights: readonly number[]): string =>
  weights.map((weight) => String.fromCharCode(WEIGHT_ZERO + weight)).join('')

/** A decoded model: the row of each word, by `wordOf`. `weights[row × K + k]` is the weight of kind k for the word of that row. */
export interface ReadyModel {
  readonly rows: ReadonlyMap<number, number>
  readonly categories: readonly string[]
  readonly bias: Float64Array
  readonly weights: Float64Array
  readonly threshold: number
}

const ready = new WeakMap<WordModel, ReadyModel>()

/** Decodes each model once. */
export function readyModel(model: WordModel): ReadyModel {
  const known = ready.get(model)
  if (known) return known
  const rows = new Map<number, number>()
  let word = 0
  for (const gap of model.words === '' ? [] : model.words.split(' ')) {
    word += Number.parseInt(gap, 36)
    rows.set(word, rows.size)
  }
  const { kinds } = model
  const weights = new Float64Array(rows.size * kinds.length)
  for (const [k, { scale, weights: text }] of kinds.entries())
    for (let row = 0; row < text.length; row++)
      weights[row * kinds.length + k] = scale * (text.charCodeAt(row) - WEIGHT_ZERO)
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

/**
 * Log odds of each kind for a text of `count` words, given by the rows of those that the model knows. Dividing by all words makes a few
 * known words in an unfamiliar text weak evidence.
 */
export function oddsOf(
  { bias, categories, weights }: ReadyModel,
  rows: readonly number[],
  count: number,
): number[] {
  const kinds = categories.length
  const share = 1 / Math.sqrt(Math.max(count, 1))
  return Array.from(
    bias,
    (own, k) => own + share * rows.reduce((sum, row) => sum + (weights[row * kinds + k] ?? 0), 0),
  )
}
