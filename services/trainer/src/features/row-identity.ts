/** Rows that were seen, each once. */
export interface RowIdentity {
  /** The place of `row` among the rows that differ: the next one where it is new. `isAt` says whether it is the row at a place. */
  of(row: Codes, isAt: (place: number) => boolean): number
}

/** A row as codes of its values. */
export type Codes = Uint32Array

const FIRST_SLOTS = 8192

/**
 * Gives equal rows one number. Agents repeat each other, so that most rows of recorded sessions stand there many times; what is fitted to
 * them takes each once, with its weight. A table of open addresses at most half full: 12 to 20 bytes a row.
 */
export function createRowIdentity(): RowIdentity {
  let slots = new Int32Array(FIRST_SLOTS).fill(-1)
  let hashes = new Uint32Array(FIRST_SLOTS / 2)
  let known = 0
  const slotFor = (hash: number, isFree: (place: number) => boolean): number => {
    let slot = hash & (slots.length - 1)
    while (!isFree(slots[slot] ?? -1)) slot = (slot + 1) & (slots.length - 1)
    return slot
  }
  const grow = (): void => {
    slots = new Int32Array(2 * slots.length).fill(-1)
    const larger = new Uint32Array(2 * hashes.length)
    larger.set(hashes)
    hashes = larger
    for (let place = 0; place < known; place++)
      slots[slotFor(hashes[place] ?? 0, (other) => other < 0)] = place
  }
  return {
    of: (row, isAt) => {
      const hash = hashOf(row)
      const slot = slotFor(hash, (place) => place < 0 || (hashes[place] === hash && isAt(place)))
      const found = slots[slot] ?? -1
      if (found >= 0) return found
      if (known === hashes.length) {
        grow()
        slots[slotFor(hash, (place) => place < 0)] = known
      } else slots[slot] = known
      hashes[known] = hash
      return known++
    },
  }
}

function hashOf(row: Codes): number {
  let hash = 0x811c9dc5
  for (let f = 0; f < row.length; f++) {
    hash = Math.imul(hash ^ (row[f] ?? 0), 0x01000193)
    hash ^= hash >>> 15
  }
  return hash >>> 0
}
