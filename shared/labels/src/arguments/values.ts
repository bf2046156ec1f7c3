/** How deep lists and records of an argument are looked into, and how many values of one are read. */
const DEPTH_MAX = 8
const VALUES_MAX = 256

export type Scalar = string | number | boolean

/** The plain values of an argument in their order; `cut`: there was more than is read. */
export interface Values {
  readonly scalars: readonly Scalar[]
  readonly cut: boolean
}

/** Collects strings, numbers and booleans out of lists and records; null and undefined are nothing at all. */
export function valuesOf(value: unknown): Values {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return { scalars: [value], cut: false }
  const scalars: Scalar[] = []
  return { scalars, cut: !collect(value, scalars, 0) }
}

function collect(value: unknown, into: Scalar[], depth: number): boolean {
  if (value === null || value === undefined) return true
  if (into.length >= VALUES_MAX) return false
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    into.push(value)
    return true
  }
  if (typeof value === 'bigint') return collect(String(value), into, depth)
  if (typeof value !== 'object' || depth >= DEPTH_MAX) return false
  if (!Array.isArray(value) && countOf(value) > VALUES_MAX) return false
  return Object.values(value).every((inner) => collect(inner, into, depth + 1))
}

/** Counts keys no further than needed. */
function countOf(value: object): number {
  let count = 0
  for (const _ in value) {
    count += 1
    if (count > VALUES_MAX) break
  }
  return count
}
