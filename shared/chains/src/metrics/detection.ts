import { tiedAscending } from '../ordering.js'
import { wilson, type Proportion } from './wilson.js'

/** What is caught, and what is wrongly stopped, where a score at or above the threshold alarms. */
export interface Detection {
  readonly threshold: number
  readonly detection: Proportion
  readonly falsePositives: Proportion
}

/** Detection at a threshold that was chosen elsewhere. */
export function detectionAt(
  scores: ArrayLike<number>,
  labels: ArrayLike<number>,
  threshold: number,
): Detection {
  const caught = { unsafe: 0, safe: 0 }
  const all = { unsafe: 0, safe: 0 }
  for (let i = 0; i < scores.length; i++) {
    const kind = labels[i] === 1 ? 'unsafe' : 'safe'
    all[kind]++
    if ((scores[i] ?? 0) >= threshold) caught[kind]++
  }
  return {
    threshold,
    detection: wilson(caught.unsafe, all.unsafe),
    falsePositives: wilson(caught.safe, all.safe),
  }
}

/**
 * The whole curve, a point for each score from the highest down, after the one at which nothing alarms.
 *
 * @throws RangeError where lengths differ or a score is no number
 */
export function detectionCurve(scores: ArrayLike<number>, labels: ArrayLike<number>): Detection[] {
  const groups = tiedAscending(scores, labels)
  const unsafe = groups.reduce((sum, { positive }) => sum + positive, 0)
  const safe = scores.length - unsafe
  let [caught, alarmed] = [0, 0]
  const curve = [{ threshold: Infinity, detection: wilson(0, unsafe), falsePositives: wilson(0, safe) }]
  for (const { value, weight, positive } of groups.toReversed()) {
    caught += positive
    alarmed += weight - positive
    curve.push({
      threshold: value,
      detection: wilson(caught, unsafe),
      falsePositives: wilson(alarmed, safe),
    })
  }
  return curve
}

/**
 * Detection at the lowest threshold whose false positives keep to a budget (a share, 0…1), as read off the curve of these very samples.
 * Infinity, with nothing caught, where even the highest score breaks the budget.
 *
 * @throws RangeError where lengths differ or a score is no number
 */
export function detectionWithin(
  scores: ArrayLike<number>,
  labels: ArrayLike<number>,
  budget: number,
): Detection {
  const groups = tiedAscending(scores, labels)
  const safe = groups.reduce((sum, { weight, positive }) => sum + weight - positive, 0)
  let threshold = Infinity
  let alarmed = 0
  for (const { value, weight, positive } of groups.toReversed()) {
    alarmed += weight - positive
    if (safe > 0 && alarmed > budget * safe) break
    threshold = value
  }
  return detectionAt(scores, labels, threshold)
}
