/** Whole numbers by index, as many as it takes: four bytes each. */
export interface GrowingInts {
  /** One more than the highest index written. */
  readonly length: number
  set(index: number, value: number): void
  /** 0 where nothing was written. */
  at(index: number): number
  /** A view, taken again at each call. */
  values(): Int32Array
}

const FIRST = 4096

export function createGrowingInts(): GrowingInts {
  let kept = new Int32Array(FIRST)
  let length = 0
  return {
    get length() {
      return length
    },
    set: (index, value) => {
      if (index >= kept.length) {
        const larger = new Int32Array(Math.max(2 * kept.length, index + 1))
        larger.set(kept)
        kept = larger
      }
      kept[index] = value
      length = Math.max(length, index + 1)
    },
    at: (index) => kept[index] ?? 0,
    values: () => kept.subarray(0, length),
  }
}

/** Numbers as small whole ones, each value once: features are counts and shares of small numbers, so few values occur often. */
export interface ValueCodes {
  /** The value's code, the next free one where it is new; undefined where there is no room for it. -0 is 0. */
  codeOf(value: number): number | undefined
  valueOf(code: number): number
}

/** 0 has the code 0. */
export function createValueCodes(most = Infinity): ValueCodes {
  const codes = new Map<number, number>([[0, 0]])
  const values = [0]
  return {
    codeOf: (value) => {
      const found = codes.get(value)
      if (found !== undefined || values.length >= most) return found
      codes.set(value, values.length)
      values.push(value)
      return values.length - 1
    },
    valueOf: (code) => values[code] ?? 0,
  }
}

/** Rows of equally many numbers, given back by column so that trees can be grown on them. */
export interface Columns {
  readonly names: readonly string[]
  /** Rows so far. */
  readonly rows: number
  /** Rows so far that differ. */
  readonly distinct: number
  /** By row its place among those that differ: the same for equal rows. A view, taken again at each call. */
  identities(): Int32Array
  /** The values of some rows, in their order: of all columns, or of some by their places. */
  pick(rows: Int32Array, columns?: readonly number[]): Float64Array[]
  /** The values of the rows that differ, from place `from` up to `to`. */
  pickDistinct(from: number, to: number, columns?: readonly number[]): Float64Array[]
}

/** Columns whose rows are written in any order, each once. */
export interface ColumnTable extends Columns {
  put(row: number, values: Float64Array): void
}

/**
 * A table that holds each row once, as codes of its values: nothing is rounded. Of recorded sessions half of the rows differ, and their
 * values are some two thousand.
 */
export function createColumnTable(names: readonly string[]): ColumnTable {
  const values = createValueCodes()
  const blocks = createRowBlocks(names.length)
  const identity = createRowIdentity()
  const places = createGrowingInts()
  const codes = new Uint32Array(names.length)
  const every = names.map((_, f) => f)
  const gather = (columns: readonly number[], length: number, placeAt: (i: number) => number) =>
    columns.map((f) => {
      const column = new Float64Array(length)
      for (let i = 0; i < length; i++) column[i] = values.valueOf(blocks.at(placeAt(i), f))
      return column
    })
  return {
    names,
    get rows() {
      return places.length
    },
    get distinct() {
      return blocks.rows
    },
    put: (row, written) => {
      for (let f = 0; f < codes.length; f++) codes[f] = values.codeOf(written[f] ?? 0) ?? 0
      const place = identity.of(codes, (other) => blocks.isAt(other, codes))
      if (place === blocks.rows) blocks.add(codes)
      places.set(row, place)
    },
    identities: () => places.values(),
    pick: (rows, columns = every) => gather(columns, rows.length, (i) => places.at(rows[i] ?? 0)),
    pickDistinct: (from, to, columns = every) => gather(columns, to - from, (i) => from + i),
  }
}

/** Some of a table's columns, in the order of `names`. Rows that are equal in all columns are equal in some. */
export function narrowed(table: Columns, names: readonly string[]): Columns {
  const own = names.map((name) => table.names.indexOf(name))
  if (own.includes(-1)) throw new RangeError(`no column \`${names[own.indexOf(-1)]}\``)
  const placed = (columns: readonly number[] | undefined) => columns?.map((f) => own[f] ?? 0) ?? own
  return {
    names,
    get rows() {
      return table.rows
    },
    get distinct() {
      return table.distinct
    },
    identities: () => table.identities(),
    pick: (rows, columns) => table.pick(rows, placed(columns)),
    pickDistinct: (from, to, columns) => table.pickDistinct(from, to, placed(columns)),
  }
}

/** Rows that are gathered at a time where something is asked of all of them. */
const BLOCK_ROWS = 8192

/** What `evaluate` says of each row of a table, asked once of equal rows and never of more than a block of them at a time. */
export function byRow(
  table: Columns,
  evaluate: (features: Float64Array[], n: number) => Float64Array,
): Float64Array {
  const said = new Float64Array(table.distinct)
  for (let from = 0; from < said.length; from += BLOCK_ROWS) {
    const to = Math.min(from + BLOCK_ROWS, said.length)
    said.set(evaluate(table.pickDistinct(from, to), to - from), from)
  }
  return Float64Array.from(table.identities(), (place) => said[place] ?? 0)
}

/** Rows that were seen, each once. */
export interface RowIdentity {
  /** The place of `row` among the rows that differ: the next one where it is new. `isAt` says whether it is the row at a place. */
  of(row: Codes, isAt: (place: number) => boolean): number
}

/** A row as codes of its values. */
export type Codes = Uint32Array

const FIRST_SLOTS = 8192

/**
 * Gives equal rows one number. Agents repeat each other, so that most rows of recorded sessions occur many times; what is fitted to
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

const STORED_ROWS = 1024
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
    blocks[Math.floor(row / STORED_ROWS)]?.[(row % STORED_ROWS) * columns + column] ?? 0
  return {
    get rows() {
      return rows
    },
    add: (row) => {
      if (isNarrow && row.some((code) => code > NARROW_MAX)) widen()
      if (rows % STORED_ROWS === 0)
        blocks.push(new (isNarrow ? Uint16Array : Uint32Array)(STORED_ROWS * columns))
      blocks.at(-1)?.set(row, (rows % STORED_ROWS) * columns)
      rows++
    },
    at,
    isAt: (row, codes) => {
      for (let column = 0; column < columns; column++) if (at(row, column) !== codes[column]) return false
      return true
    },
  }
}
