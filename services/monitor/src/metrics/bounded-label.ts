/** What stands for all values that come when there are too many. */
export const OTHER = 'other'

/** Keeps a label to its first `max` values: each value is a series that stays, and senders choose the values. */
export function createBoundedLabel(max: number): (value: string) => string {
  const known = new Set<string>()
  return (value) => {
    if (known.has(value)) return value
    if (known.size >= max) return OTHER
    known.add(value)
    return value
  }
}
