import { PlimsollError } from '@plimsoll/contracts'
import { CONTEXT_COUNT, createContext, wholeOf } from './context.js'
import { FEATURE_COUNT } from './features.js'
import type { Outline } from './outline-buffers.js'
import { LEXICON_HASH } from './words.js'
import { readJsonFile } from '../text/json-file.js'
import { sigmoid } from '../text/word-model.js'

/** Scores of one text: each segment's own log odds, its score in context (0…1), and the best score. */
export interface Scores {
  odds: Float64Array
  score: Float64Array
  best: number
}

/** Below these log odds no context can make a segment suspicious. Most segments stop here. */
const HOPELESS = -3

/** Scores outlines with `model`; the result is valid until the next call. */
export function createScorer(model: InstructionModel): (outline: Outline) => Scores {
  const weights = Float64Array.from(model.segment)
  const context = Float64Array.from(model.context)
  const contextOf = createContext()
  const scores: Scores = { odds: new Float64Array(512), score: new Float64Array(512), best: 0 }
  return (outline) => {
    if (outline.count > scores.odds.length) enlarge(scores, outline.start.length)
    const { odds, score } = scores
    for (let s = 0; s < outline.count; s++) {
      let sum = model.bias
      const to = outline.from[s + 1] ?? 0
      for (let k = outline.from[s] ?? 0; k < to; k++) sum += weights[outline.features[k] ?? 0] ?? 0
      odds[s] = sum
    }
    const whole = wholeOf(outline, odds)
    scores.best = 0
    for (let s = 0; s < outline.count; s++) {
      if ((odds[s] ?? 0) < HOPELESS) {
        score[s] = 0
        continue
      }
      const { count, features, values } = contextOf(outline, odds, s, whole)
      let sum = 0
      for (let k = 0; k < count; k++) sum += (context[features[k] ?? 0] ?? 0) * (values[k] ?? 0)
      const probability = sigmoid(sum)
      score[s] = probability
      if (probability > scores.best) scores.best = probability
    }
    return scores
  }
}

function enlarge(scores: Scores, length: number): void {
  scores.odds = new Float64Array(length)
  scores.score = new Float64Array(length)
}

/**
 * A fitted model of instruction-like text, stored as JSON. Weights are natural-log odds. `segment` weighs the features of one segment by
 * number; `context` weighs the features that `createContext` computes.
 */
export interface InstructionModel {
  readonly format: 1
  /** Hash of the word lists that it was fitted with. With other lists its weights are meaningless. */
  readonly lexicon: number
  /** Log odds of a segment without any feature. */
  readonly bias: number
  /** `FEATURE_COUNT` weights. */
  readonly segment: readonly number[]
  /** `CONTEXT_COUNT` weights, the first of them constant. */
  readonly context: readonly number[]
  /** Score from which a segment, and so its text, counts as an instruction. */
  readonly threshold: number
}

/**
 * Parses a model from JSON.
 *
 * @throws PlimsollError `document_invalid` for content that this version cannot use
 */
export function parseInstructionModel(content: unknown): InstructionModel {
  const problem = problemOf(content)
  if (problem !== undefined) throw new PlimsollError('document_invalid', `instruction model: ${problem}`)
  return content as InstructionModel
}

function problemOf(content: unknown): string | undefined {
  if (typeof content !== 'object' || content === null) return 'expected an object'
  const { format, lexicon, bias, segment, context, threshold } = content as Partial<Record<string, unknown>>
  if (format !== 1) return 'format: expected 1'
  if (lexicon !== LEXICON_HASH) return 'lexicon: it was fitted with other lists of words; fit it again'
  if (!isFinite(bias)) return 'bias: expected a number'
  if (!areWeights(segment, FEATURE_COUNT)) return `segment: expected ${FEATURE_COUNT} numbers`
  if (!areWeights(context, CONTEXT_COUNT)) return `context: expected ${CONTEXT_COUNT} numbers`
  const inRange = isFinite(threshold) && threshold > 0 && threshold < 1
  return inRange ? undefined : 'threshold: expected a number between 0 and 1'
}

const isFinite = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
const areWeights = (value: unknown, count: number): boolean =>
  Array.isArray(value) && value.length === count && value.every(isFinite)

/** Location of the shipped model. */
export const SHIPPED_MODEL = new URL('../../models/instructions.json', import.meta.url)

let shipped: InstructionModel | undefined

/** The shipped model, read once. */
export function shippedInstructionModel(): InstructionModel {
  shipped ??= parseInstructionModel(readJsonFile(SHIPPED_MODEL))
  return shipped
}
