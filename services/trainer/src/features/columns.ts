import { createRowIdentity } from './row-identity.js'

/** Rows of equally many numbers, kept by column so that trees can be grown on them; grows as rows are added. */
export interface ColumnTable {
  readonly names: readonly string[]
  /** Rows so far. */
  readonly rows: number
  add(row: Float64Array): void
  /** columns[feature], each of `rows` values: views, taken anew at each call. */
  columns(): Float64Array[]
  /** A number by row, the same for equal rows. */
  identities(): Int32Array
  /** The values of some rows, in their order. */
  pick(rows: Int32Array): Float64Array[]
}

const FIRST_ROWS = 4096

export function createColumnTable(names: readonly string[]): ColumnTable {
  let columns = names.map(() => new Float64Array(FIRST_ROWS))
  let rows = 0
  const identify = createRowIdentity()
  const identities: number[] = []
  const grown = (column: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> => {
    const larger = new Float64Array(2 * column.length)
    larger.set(column)
    return larger
  }
  return {
    names,
    get rows() {
      return rows
    },
    add: (row) => {
      if (rows === (columns[0]?.length ?? Infinity)) columns = columns.map(grown)
      for (let f = 0; f < columns.length; f++) {
        const column = columns[f]
        if (column) column[rows] = row[f] ?? 0
      }
      identities.push(identify(row))
      rows++
    },
    identities: () => Int32Array.from(identities),
    columns: () => columns.map((column) => column.subarray(0, rows)),
    pick: (picked) => columns.map((column) => Float64Array.from(picked, (row) => column[row] ?? 0)),
  }
}
