import type { Signals } from '@plimsoll/contracts'
import type { Tokens } from '../text/tokens.js'
import { KINDS, kindsOf } from './kinds.js'
import { type Outline, createOutliner } from './outline.js'
import { type InstructionModel, type Scores, createScorer } from './score.js'

/** How much of a text reads like instructions: names of the signals of `extentOf`. */
const EXTENTS = ['share', 'length', 'parts', 'ending'] as const

/** Code units and passages from which on more says nothing more. */
const LENGTH_MAX = 1200
const PARTS_MAX = 8

/**
 * `share` of the text; `length` of the longest passage; number of `parts`; and where the last one is `ending`, as a share of the text: what
 * stands last is read last. Each 0…1; empty where there is no passage.
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

/** What a text looks like: ordinary content or instructions. */
export interface InstructionReading {
  /** How much the text reads like an instruction to a model, 0…1; from the model's threshold on it counts as one. */
  readonly score: number
  /** The passages that do, in UTF-16 code units, in order, without overlap. */
  readonly segments: readonly (readonly [start: number, end: number])[]
  /** `instructions`: the score; one of 0…1 for each of `KINDS`, and of `EXTENTS` where there are segments. Empty where the score is below a hundredth. */
  readonly signals: Signals
}

/** Segments between two that read like instructions which belong to the same passage. */
const BETWEEN_MAX = 2
/** Of the threshold: what a neighbour of a segment that reached it needs to be part of its passage. */
const NEIGHBOUR = 0.4
/** Below this score a text gets no signals. */
const SCORE_MIN = 0.01

const NOTHING: InstructionReading = { score: 0, segments: [], signals: {} }

const outlineOf = createOutliner()
const scorers = new WeakMap<InstructionModel, (outline: Outline) => Scores>()

/**
 * Reads how much of `text` speaks to a model as an instruction would. Linear in the text; looks at words, not at who wrote them: a
 * request to a person among people scores low, not nothing.
 *
 * @param tokens of this very text
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
export const INSTRUCTION_SIGNALS: readonly string[] = ['instructions', ...KINDS, ...EXTENTS]

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
    const to = s + 1 < outline.count && (score[s + 1] ?? 0) >= threshold * NEIGHBOUR ? s + 1 : s
    const end = outline.end[to] ?? 0
    if (joined && passage !== undefined) passage[1] = end
    else if (passage !== undefined && (outline.start[from] ?? 0) < passage[1]) passage[1] = end
    else passages.push([outline.start[from] ?? 0, end])
    last = s
  }
  return passages
}

const rounded = (share: number): number => Math.round(share * 1_000) / 1_000
