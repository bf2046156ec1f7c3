import type { Codes } from './row-identity.js'

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
