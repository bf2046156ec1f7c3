import type { Columns } from '../columns.js'
import type { Tree, TreeModel } from './tree.js'

/** The margin (log-odds) of each row, N values. A missing feature is read as no number. */
export function marginsOf({ bias, trees }: TreeModel, features: Columns, n: number): Float64Array {
  const margins = new Float64Array(n).fill(bias)
  for (const tree of trees)
    for (let row = 0; row < n; row++) margins[row] = (margins[row] ?? 0) + valueOf(tree, features, row)
  return margins
}

function valueOf({ feature, threshold, left, right, value }: Tree, features: Columns, row: number): number {
  let at = 0
  for (let f = feature[0] ?? -1; f >= 0; f = feature[at] ?? -1)
    at = ((features[f]?.[row] ?? Number.NaN) < (threshold[at] ?? 0) ? left[at] : right[at]) ?? 0
  return value[at] ?? 0
}
