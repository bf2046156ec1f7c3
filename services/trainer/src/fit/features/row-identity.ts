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

/** Rows of codes in blocks: two bytes a code until one needs more, four from then on. */
export interface RowBlocks {
  readonly rows: number
  add(row: Codes): void
  at(row: number, column: number): number
  isAt(row: number, codes: Codes): boolean
}

const BLOCK_ROWS = 1024
const NARROW_MAX = 0xffff

export function createRowBlocks(columns: number): RowBlocks {
  const blocks: (Uint16Array | Uint32Array)[] = []
  let rows = 0
  let isNarrow = true
  const widen = (): void => {
    isNarrow = false
    for (const [n, block] of blocks.entries()) blocks[n] = Uint32Array.from(block)
  }
  const at = (row: number, column: number): number =>
    blocks[Math.floor(row / BLOCK_ROWS)]?.[(row % BLOCK_ROWS) * columns + column] ?? 0
  return {
    get rows() {
      return rows
    },
    add: (row) => {
      if (isNarrow && row.some((code) => code > NARROW_MAX)) widen()
      if (rows % BLOCK_ROWS === 0)
        blocks.push(new (isNarrow ? Uint16Array : Uint32Array)(BLOCK_ROWS * columns))
      blocks.at(-1)?.set(row, (rows % BLOCK_ROWS) * columns)
      rows++
    },
    at,
    isAt: (row, codes) => {
      for (let column = 0; column < columns; column++) if (at(row, column) !== codes[column]) return false
      return true
    },
  }
}
