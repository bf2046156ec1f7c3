import { lineSchema } from '@plimsoll/contracts'
import { z } from 'zod'
import { timeSchema } from '../tree/checkpoint.js'

/** Runs of entries that one erasure can name. */
export const RUNS_MAX = 10_000

const runSchema = z
  .tuple([z.int().min(0), z.int().min(0)])
  .refine(([first, last]) => first <= last, 'expected the first, then the last')
/** Entries side by side: the first and the last index. */
export type Run = z.infer<typeof runSchema>

/** The body of an erasure: which entries lost their bodies. It names nobody whose records they were. */
export const erasureSchema = z.strictObject({
  runs: z.array(runSchema).min(1).max(RUNS_MAX),
  by: lineSchema(200),
  reason: lineSchema(2000).optional(),
  time: timeSchema,
})
export type Erasure = z.infer<typeof erasureSchema>

/** Adds an index above all before. */
export function addToRuns(runs: Run[], index: number): void {
  const last = runs.at(-1)
  if (last && last[1] === index - 1) last[1] = index
  else runs.push([index, index])
}

/** The runs in order, those that touch as one. */
export function mergeRuns(runs: readonly Run[]): Run[] {
  const merged: Run[] = []
  for (const [first, last] of runs.toSorted((a, b) => a[0] - b[0])) {
    const before = merged.at(-1)
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last)
    else merged.push([first, last])
  }
  return merged
}

export const countIn = (runs: readonly Run[]): number =>
  runs.reduce((sum, [first, last]) => sum + last - first + 1, 0)

/** The first index that is in one of the lists alone, both merged; undefined if they are equal. */
export function firstDifference(a: readonly Run[], b: readonly Run[]): number | undefined {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const [one, other] = [a[i], b[i]]
    if (!one || !other) return (one ?? other)?.[0]
    if (one[0] !== other[0]) return Math.min(one[0], other[0])
    if (one[1] !== other[1]) return Math.min(one[1], other[1]) + 1
  }
  return undefined
}
