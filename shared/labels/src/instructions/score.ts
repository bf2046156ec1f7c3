import { createContext, wholeOf } from './context.js'
import { sigmoid } from './logistic.js'
import type { InstructionModel } from './model.js'
import type { Outline } from './outline.js'

/** Of one text: each segment's own log odds, its score among its neighbours (0…1), and the best score. */
export interface Scores {
  odds: Float64Array
  score: Float64Array
  best: number
}

/** A segment of lower log odds is none whatever stands beside it: most are, and cost nothing more. */
const HOPELESS = -3

/** Scores outlines by `model`; what it gives holds until its next call. */
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
