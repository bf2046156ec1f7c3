import { createRowIdentity } from './row-identity.js'

/** Rows of equally many numbers, by column so that trees can be grown on them. */
export interface Columns {
  readonly names: readonly string[]
  readonly rows: number
  /** columns[feature], each of `rows` values: views, not copies. */
  columns(): Float64Array[]
  /** A number by row, the same for equal rows. */
  identities(): Int32Array
  /** The values of some rows, in their order. */
  pick(rows: Int32Array): Float64Array[]
}

/** Columns whose rows are written in any order, each once. */
export interface ColumnTable extends Columns {
  put(row: number, values: Float64Array): void
  /** Row `to` is the same as row `from`, which is there. */
  repeat(from: number, to: number): void
}

export function createColumnTable(names: readonly string[], rows: number): ColumnTable {
  const columns = names.map(() => new Float64Array(rows))
  const identify = createRowIdentity()
  const identities = new Int32Array(rows)
  return {
    names,
    rows,
    put: (row, values) => {
      for (let f = 0; f < columns.length; f++) {
        const column = columns[f]
        if (column) column[row] = values[f] ?? 0
      }
      identities[row] = identify(values)
    },
    repeat: (from, to) => {
      for (const column of columns) column[to] = column[from] ?? 0
      identities[to] = identities[from] ?? 0
    },
    identities: () => identities,
    columns: () => columns,
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
    rows: table.rows,
    columns: own,
    // Rows that are equal in all columns are equal in some.
    identities: () => table.identities(),
    pick: (rows) => own().map((column) => Float64Array.from(rows, (row) => column[row] ?? 0)),
  }
}
