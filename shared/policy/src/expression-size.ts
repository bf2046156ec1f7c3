/** Values in an argument that an expression reads: members and elements at any depth. A larger argument is not known. */
export const VALUES_MAX = 256
/** Where one list is walked within another: the time goes with the square. */
export const NESTED_VALUES_MAX = 48

/** Characters of all text in an argument that an expression reads; fewer where it splits text, since each part is a value. */
export const TEXT_MAX = 16_384
export const SPLIT_TEXT_MAX = 4096

const DEPTH_MAX = 16

interface Room {
  values: number
  text: number
}

/** Whether an argument is small enough that reading it takes a bounded time. Looks at no more than that many values itself. */
export function isSmall(value: unknown, textMax: number, valuesMax: number): boolean {
  if (typeof value === 'string') return value.length <= textMax
  if (typeof value !== 'object' || value === null) return true
  return fits(value, { values: valuesMax, text: textMax }, DEPTH_MAX)
}

function fits(value: unknown, room: Room, depth: number): boolean {
  if (typeof value === 'string') return (room.text -= value.length) >= 0
  if (typeof value !== 'object' || value === null) return true
  if (depth === 0) return false
  for (const key in value) {
    if (--room.values < 0) return false
    if (!Array.isArray(value) && (room.text -= key.length) < 0) return false
    if (!fits(Reflect.get(value, key), room, depth - 1)) return false
  }
  return true
}
