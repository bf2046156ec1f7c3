/** A run of equal values: their sums of weight and of weight × label. */
export interface Tied {
  readonly value: number
  weight: number
  positive: number
}

/**
 * The values in ascending order with ties joined, so that no result depends on the order of its samples. What weighs nothing is left out.
 *
 * @throws RangeError where the lengths differ or a value is no number
 */
export function tiedAscending(
  values: ArrayLike<number>,
  labels: ArrayLike<number>,
  weights?: ArrayLike<number>,
): Tied[] {
  const n = values.length
  if (labels.length !== n || (weights && weights.length !== n))
    throw new RangeError(`expected ${n} labels and weights`)
  const order = Uint32Array.from({ length: n }, (_, i) => i)
  order.sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0))
  const groups: Tied[] = []
  for (const i of order) {
    const value = values[i] ?? Number.NaN
    const weight = weights?.[i] ?? 1
    if (Number.isNaN(value)) throw new RangeError('expected values that are numbers')
    if (weight <= 0) continue
    let last = groups.at(-1)
    if (last?.value !== value) groups.push((last = { value, weight: 0, positive: 0 }))
    last.weight += weight
    last.positive += weight * (labels[i] ?? 0)
  }
  return groups
}
