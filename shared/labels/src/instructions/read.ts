import type { SignalName, Signals } from '@plimsoll/contracts'
import type { Tokens } from '../text/tokens.js'
import { surfaceBit } from './features.js'
import { KINDS, kindsOf } from './kinds.js'
import { createOutliner } from './outline.js'
import type { Outline } from './outline-buffers.js'
import { type InstructionModel, type Scores, createScorer } from './score.js'

/** Names of the signals of `extentOf`. */
const EXTENTS = ['share', 'length', 'parts', 'ending'] as const satisfies readonly SignalName[]

/** Lengths in code units and numbers of passages at which the signals reach 1. */
const LENGTH_MAX = 1200
const PARTS_MAX = 8

/**
 * How much of a text reads like instructions: `share` of the text, `length` of the longest passage, number of `parts`, and `ending`, the
 * position of the last passage as a share of the text, because a model reads it last. Each 0…1; empty without passages.
 */
function extentOf(text: string, passages: readonly (readonly [number, number])[]): Signals {
  const last = passages.at(-1)
  if (!last) return {}
  const lengths = passages.map(([start, end]) => end - start)
  const sum = lengths.reduce((total, length) => total + length, 0)
  return {
    share: rounded(sum / text.length),
    length: rounded(Math.min(1, Math.max(...lengths) / LENGTH_MAX)),
    parts: rounded(Math.min(1, passages.length / PARTS_MAX)),
    ending: rounded(last[1] / text.length),
  }
}

/** Whether a text reads like ordinary content or like instructions. */
export interface InstructionReading {
  /** How much the text reads like instructions to a model, 0…1. It counts as such from the model's threshold on. */
  readonly score: number
  /** The passages that read like instructions, in UTF-16 code units, in order, without overlap. */
  readonly segments: readonly (readonly [start: number, end: number])[]
  /** `instructions`: the score; each of `KINDS`; and each of `EXTENTS` if there are segments. All 0…1; empty if the score is below 0.01. */
  readonly signals: Signals
}

/** Segments between two suspicious ones that belong to the same passage. */
const BETWEEN_MAX = 2
/** Share of the threshold that a neighbour needs to join a passage. */
const NEIGHBOUR = 0.4
const ANNOUNCING = surfaceBit('announcing')
/** Segments that belong to an instruction with a colon at its end. */
const ANNOUNCED = 4
/** Below this score a text gets no signals. */
const SCORE_MIN = 0.01

const NOTHING: InstructionReading = { score: 0, segments: [], signals: {} }

const outlineOf = createOutliner()
const scorers = new WeakMap<InstructionModel, (outline: Outline) => Scores>()

/**
 * Scores how much `text` addresses a model with instructions. Linear in the text. It looks at words, not at their author: a request between
 * people scores low, but not zero.
 *
 * @param tokens of `text`
 */
export function readInstructions(text: string, tokens: Tokens, model: InstructionModel): InstructionReading {
  const outline = outlineOf(text, tokens)
  const { score, best } = scorerOf(model)(outline)
  if (best < SCORE_MIN) return NOTHING
  const segments = passagesOf(outline, score, model.threshold)
  const signals = {
    ...extentOf(text, segments),
    instructions: rounded(best),
    ...kindsOf(outline, score, Math.min(best, model.threshold) * NEIGHBOUR),
  }
  return { score: best, segments, signals }
}

/** The names of all signals that a reading may have. */
export const INSTRUCTION_SIGNALS: readonly SignalName[] = ['instructions', ...KINDS, ...EXTENTS]

function scorerOf(model: InstructionModel): (outline: Outline) => Scores {
  const known = scorers.get(model)
  if (known !== undefined) return known
  const scorer = createScorer(model)
  scorers.set(model, scorer)
  return scorer
}

function passagesOf(outline: Outline, score: Float64Array, threshold: number): (readonly [number, number])[] {
  const passages: [number, number][] = []
  let last = -BETWEEN_MAX - 2
  for (let s = 0; s < outline.count; s++) {
    if ((score[s] ?? 0) < threshold) continue
    const joined = s - last <= BETWEEN_MAX + 1
    const passage = passages.at(-1)
    const from = (score[s - 1] ?? 0) >= threshold * NEIGHBOUR && s > 0 ? s - 1 : s
    const to = lastOf(outline, score, s, threshold)
    const end = outline.end[to] ?? 0
    if (passage !== undefined && (joined || (outline.start[from] ?? 0) < passage[1]))
      passage[1] = Math.max(passage[1], end)
    else passages.push([outline.start[from] ?? 0, end])
    last = s
  }
  return passages
}

/** Of the passage around a segment: an instruction that ends with a colon goes on in what follows. */
function lastOf({ marks, count }: Outline, score: Float64Array, s: number, threshold: number): number {
  if (((marks[s] ?? 0) & ANNOUNCING) !== 0) return Math.min(count - 1, s + ANNOUNCED)
  return s + 1 < count && (score[s + 1] ?? 0) >= threshold * NEIGHBOUR ? s + 1 : s
}

const rounded = (share: number): number => Math.round(share * 1_000) / 1_000
