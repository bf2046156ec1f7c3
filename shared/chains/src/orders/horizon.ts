import type { OrderModel } from './model.js'

/**
 * P(violated within h steps | context) for h = 0…horizonMax, as a look-up by context (see `contexts.after`) and h. Made once over the
 * contexts that were seen; another one has the future of what it backs off to.
 *
 * @throws RangeError where horizonMax is not a whole number from 0
 */
export function orderHorizon(model: OrderModel, horizonMax: number): (context: number, h: number) => number {
  if (!Number.isInteger(horizonMax) || horizonMax < 0)
    throw new RangeError('expected a whole horizonMax from 0')
  const { states, contexts, seen, known, rowOf } = model
  const position = new Map(seen.map((context, at) => [context, at]))
  const next = seen.map((context) =>
    Int32Array.from({ length: states }, (_, to) => position.get(known(contexts.after(context, to))) ?? 0),
  )
  const table = [new Float64Array(seen.length)]
  for (let h = 1; h <= horizonMax; h++) {
    const before = table[h - 1] ?? new Float64Array()
    table.push(
      Float64Array.from(seen, (context, at) => {
        const row = rowOf(context)
        let probability = row[states] ?? 0
        for (const [to, after] of (next[at] ?? new Int32Array()).entries())
          probability += (row[to] ?? 0) * (before[after] ?? 0)
        return Math.min(1, Math.max(before[at] ?? 0, probability))
      }),
    )
  }
  return (context, h) => table[h]?.[position.get(known(context)) ?? 0] ?? Number.NaN
}
