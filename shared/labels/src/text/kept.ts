/** Most names that are kept, and the characters of the longest. Longer ones are read again each time. */
const NAMES_MAX = 2_048
const NAME_MAX = 256

/**
 * `read`, whose results are kept by name: those of tools, arguments and people repeat. All are forgotten together where there are too many.
 * The same name gives the same object.
 */
export function keptByName<T>(read: (name: string) => T): (name: string) => T {
  const known = new Map<string, T>()
  return (name) => {
    const found = known.get(name)
    if (found !== undefined || known.has(name)) return found as T
    const made = read(name)
    if (name.length > NAME_MAX) return made
    if (known.size >= NAMES_MAX) known.clear()
    known.set(name, made)
    return made
  }
}
