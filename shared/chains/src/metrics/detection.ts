import { tiedAscending } from '../ordering.js'

/** n of `of`, and where the true share lies with 95% confidence. NaN where there was none to count. */
export interface Proportion {
  readonly n: number
  readonly of: number
  readonly rate: number
  readonly low: number
  readonly high: number
}

/** The normal quantile of 97.5%. */
const Z95 = 1.959963984540054

/** A share with its Wilson score interval. Source: Wilson (1927); Newcombe (1998), method 3. */
export function wilson(n: number, of: number, z = Z95): Proportion {
  const rate = n / of
  const scale = 1 + (z * z) / of
  const centre = (rate + (z * z) / (2 * of)) / scale
  const half = (z / scale) * Math.sqrt((rate * (1 - rate)) / of + (z * z) / (4 * of * of))
  // At the ends the bound is exact; rounding would leave it a hair off.
  const low = n === 0 && of > 0 ? 0 : Math.max(0, centre - half)
  const high = n === of && of > 0 ? 1 : Math.min(1, centre + half)
  return { n, of, rate, low, high }
}

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

/** The first step whose score reaches the threshold; undefined where none does. */
export function firstAlarm(scores: ArrayLike<number>, threshold: number): number | undefined {
  for (let i = 0; i < scores.length; i++) if ((scores[i] ?? 0) >= threshold) return i
  return undefined
}

/**
 * How many steps before the violating one (index `violating`) the first alarm came: 0 is the step itself, which is still in time. Undefined
 * where none came by then.
 */
export function warningSteps(
  scores: ArrayLike<number>,
  violating: number,
  threshold: number,
): number | undefined {
  const alarm = firstAlarm(scores, threshold)
  return alarm === undefined || alarm > violating ? undefined : violating - alarm
}

/** How early alarms came. */
export interface EarlyWarnings {
  /** histogram[s]: violated sessions that were warned of s steps before. */
  readonly histogram: readonly number[]
  readonly missed: number
  /** Over those warned of; NaN where there are none. */
  readonly mean: number
  readonly median: number
}

/** Sums up what `warningSteps` gave for each violated session. */
export function summariseWarnings(warnings: readonly (number | undefined)[]): EarlyWarnings {
  const steps = warnings.filter((warning) => warning !== undefined).sort((a, b) => a - b)
  const histogram = Array.from({ length: (steps.at(-1) ?? -1) + 1 }, () => 0)
  for (const step of steps) histogram[step] = (histogram[step] ?? 0) + 1
  const middle = [steps[(steps.length - 1) >> 1], steps[steps.length >> 1]]
  return {
    histogram,
    missed: warnings.length - steps.length,
    mean: steps.reduce((sum, step) => sum + step, 0) / steps.length,
    median: ((middle[0] ?? Number.NaN) + (middle[1] ?? Number.NaN)) / 2,
  }
}
