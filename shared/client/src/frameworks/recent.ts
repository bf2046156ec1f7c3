/** A map that forgets its oldest entry rather than hold more than `max`. */
export function createRecent<Key, Value>(max: number): Map<Key, Value> {
  const entries = new Map<Key, Value>()
  const set = entries.set.bind(entries)
  entries.set = (key, value) => {
    const [oldest] = entries.keys()
    if (entries.size >= max && oldest !== undefined && !entries.has(key)) entries.delete(oldest)
    return set(key, value)
  }
  return entries
}
