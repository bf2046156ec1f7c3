import type { BinnedColumn } from './bins.js'

/** Gradients and curvatures of the loss by row. */
export interface Slopes {
  readonly gradient: Float64Array
  readonly curvature: Float64Array
}

/** Sums over the rows of a node: gradient, curvature and count at 3 × (offset of the feature + code). */
export type Histogram = Float64Array

/** Builds histograms over the same columns; reuses its buffers. */
export interface HistogramBuilder {
  /** offsets[f]: where the bins of feature f start. */
  readonly offsets: readonly number[]
  build(rows: Int32Array, slopes: Slopes): Histogram
}

export function createHistogramBuilder(columns: readonly BinnedColumn[], n: number): HistogramBuilder {
  const offsets: number[] = []
  let size = 0
  for (const { edges } of columns) {
    offsets.push(size)
    size += edges.length + 1
  }
  const gathered = { gradient: new Float64Array(n), curvature: new Float64Array(n) }
  return {
    offsets,
    build: (rows, slopes) => {
      const histogram = new Float64Array(3 * size)
      gather(rows, slopes, gathered)
      for (const [f, { codes }] of columns.entries())
        addColumn(histogram, 3 * (offsets[f] ?? 0), codes, rows, gathered)
      return histogram
    },
  }
}

/** Subtracts `smaller` from `parent` in place. */
export function subtract(parent: Histogram, smaller: Histogram): Histogram {
  for (let i = 0; i < parent.length; i++) parent[i] = (parent[i] ?? 0) - (smaller[i] ?? 0)
  return parent
}

function gather(rows: Int32Array, from: Slopes, to: Slopes): void {
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] ?? 0
    to.gradient[i] = from.gradient[row] ?? 0
    to.curvature[i] = from.curvature[row] ?? 0
  }
}

/** The hot loop of a fit. */
function addColumn(
  histogram: Histogram,
  offset: number,
  codes: Uint8Array,
  rows: Int32Array,
  { gradient, curvature }: Slopes,
): void {
  for (let i = 0; i < rows.length; i++) {
    const at = offset + 3 * (codes[rows[i] ?? 0] ?? 0)
    histogram[at] = (histogram[at] ?? 0) + (gradient[i] ?? 0)
    histogram[at + 1] = (histogram[at + 1] ?? 0) + (curvature[i] ?? 0)
    histogram[at + 2] = (histogram[at + 2] ?? 0) + 1
  }
}
