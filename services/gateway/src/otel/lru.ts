/** A map of at most `max` entries: what was not asked for or set for longest goes first. */
export interface Lru<V> {
  get(key: string): V | undefined
  has(key: string): boolean
  set(key: string, value: V): void
  delete(key: string): void
  readonly size: number
}

export function createLru<V>(max: number): Lru<V> {
  const entries = new Map<string, V>()
  function set(key: string, value: V): void {
    entries.delete(key)
    entries.set(key, value)
    if (entries.size <= max) return
    for (const oldest of entries.keys()) {
      entries.delete(oldest)
      return
    }
  }
  return {
    get: (key) => {
      const value = entries.get(key)
      if (value !== undefined) set(key, value)
      return value
    },
    has: (key) => entries.has(key),
    set,
    delete: (key) => void entries.delete(key),
    get size() {
      return entries.size
    },
  }
}
