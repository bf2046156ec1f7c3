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
