import type { Columns } from './tree.js'

/** A column as bin codes, which is all a tree needs of it. */
export interface BinnedColumn {
  /** codes[row]: how many of the edges the value is not below; NaN has the highest. */
  readonly codes: Uint8Array
  /** Ascending; at most one fewer than there are bins. */
  readonly edges: readonly number[]
}

/**
 * Splits each column into at most `bins` bins of similar size; equal values share a bin.
 *
 * @throws RangeError on a value that is infinite
 */
export function binColumns(columns: Columns, bins: number): BinnedColumn[] {
  return columns.map((column) => {
    const edges = edgesOf(column, bins)
    const codes = new Uint8Array(column.length)
    for (let i = 0; i < column.length; i++) codes[i] = codeOf(edges, column[i] ?? 0)
    return { codes, edges }
  })
}

function codeOf(edges: readonly number[], value: number): number {
  let low = 0
  let high = edges.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (value < (edges[middle] ?? 0)) high = middle
    else low = middle + 1
  }
  return low
}

/** Frequent values take a bin each and the rest share the others, so that the tail of a feature that is mostly 0 keeps its bins. */
function edgesOf(column: Float32Array | Float64Array, bins: number): number[] {
  const sorted = column.filter((value) => !Number.isNaN(value)).sort()
  if (sorted.some((value) => !Number.isFinite(value))) throw new RangeError('expected finite features')
  const isEach = hasAtMost(sorted, bins)
  const edges: number[] = []
  let rest = sorted.length
  let inBin = 0
  for (let i = 0; i + 1 < sorted.length && edges.length + 1 < bins; i++) {
    inBin++
    const [value = 0, next = 0] = [sorted[i], sorted[i + 1]]
    if (value === next || (!isEach && inBin < rest / (bins - edges.length))) continue
    edges.push(between(value, next))
    rest -= inBin
    inBin = 0
  }
  return edges
}

function hasAtMost(sorted: Float32Array | Float64Array, bins: number): boolean {
  let distinct = Math.min(1, sorted.length)
  for (let i = 1; i < sorted.length && distinct <= bins; i++) if (sorted[i] !== sorted[i - 1]) distinct++
  return distinct <= bins
}

/** The shortest decimal above a and not above b, as near to the middle as its digits allow, for readable thresholds in files. */
function between(a: number, b: number): number {
  const middle = a / 2 + b / 2
  for (let digits = 1; digits <= 17; digits++) {
    const candidate = Number(middle.toPrecision(digits))
    if (candidate > a && candidate <= b) return candidate
  }
  return b
}
