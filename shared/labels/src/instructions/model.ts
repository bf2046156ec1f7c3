import { readFileSync } from 'node:fs'
import { PlimsollError } from '@plimsoll/contracts'
import { CONTEXT_COUNT } from './context.js'
import { FEATURE_COUNT } from './features.js'
import { LEXICON_HASH } from './words.js'

/**
 * A fitted reader of instruction-like text: plain data, to be kept as JSON. Weights are natural-log odds. `segment` weighs the features
 * of one segment, by their numbers; `context` weighs what `contextOf` gives of a segment among its neighbours.
 */
export interface InstructionModel {
  readonly format: 1
  /** Of the lists of words that it was fitted with; with other lists its weights mean nothing. */
  readonly lexicon: number
  /** Log odds of a segment without any feature. */
  readonly bias: number
  /** `FEATURE_COUNT` weights. */
  readonly segment: readonly number[]
  /** `CONTEXT_COUNT` weights, the first of them constant. */
  readonly context: readonly number[]
  /** A segment whose score reaches it reads like an instruction, and so does a text that has one. */
  readonly threshold: number
}

/**
 * A model from JSON.
 *
 * @throws PlimsollError `document_invalid` for anything that this version cannot read by
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

/** Where the model that ships is kept. */
export const SHIPPED_MODEL = new URL('../../models/instructions.json', import.meta.url)

let shipped: InstructionModel | undefined

/** The model that ships with Plimsoll, read once. */
export function shippedInstructionModel(): InstructionModel {
  shipped ??= parseInstructionModel(JSON.parse(readFileSync(SHIPPED_MODEL, 'utf8')))
  return shipped
}
