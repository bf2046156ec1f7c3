import { createRowIdentity } from './row-identity.js'

/** Rows of equally many numbers, by column so that trees can be grown on them. */
export interface Columns {
  readonly names: readonly string[]
  /** Rows so far. */
  readonly rows: number
  /** columns[feature], each of `rows` values: views, taken anew at each call. */
  columns(): Float64Array[]
  /** A number by row, the same for equal rows. */
  identities(): Int32Array
  /** The values of some rows, in their order. */
  pick(rows: Int32Array): Float64Array[]
}

/** Columns that grow as rows are added. */
export interface ColumnTable extends Columns {
  add(row: Float64Array): void
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

/** Some of a table's columns, in the order of `names`. */
export function narrowed(table: Columns, names: readonly string[]): Columns {
  const places = names.map((name) => table.names.indexOf(name))
  if (places.includes(-1)) throw new RangeError(`no column \`${names[places.indexOf(-1)]}\``)
  const own = (): Float64Array[] => {
    const columns = table.columns()
    return places.map((place) => columns[place] ?? new Float64Array())
  }
  return {
    names,
    get rows() {
      return table.rows
    },
    columns: own,
    // Rows that are equal in all columns are equal in some.
    identities: () => table.identities(),
    pick: (rows) => own().map((column) => Float64Array.from(rows, (row) => column[row] ?? 0)),
  }
}
