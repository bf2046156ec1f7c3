import type { SessionRow } from '../../../src/api.js'

export interface Tree {
  /** Rows whose parent is not among the rows. */
  readonly roots: readonly SessionRow[]
  readonly children: ReadonlyMap<string, readonly SessionRow[]>
}

/** Rows by their parents. Each row occurs once, whatever parents the rows name: rows of a circle are roots. */
export function childrenOf(rows: readonly SessionRow[]): Tree {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const roots: SessionRow[] = []
  const children = new Map<string, SessionRow[]>()
  for (const row of byId.values()) {
    const { parent } = row
    if (parent === undefined || !byId.has(parent) || isInCircle(row, byId)) roots.push(row)
    else children.set(parent, [...(children.get(parent) ?? []), row])
  }
  return { roots, children }
}

/** Whether the parents of `row` lead back to it. */
function isInCircle(row: SessionRow, byId: ReadonlyMap<string, SessionRow>): boolean {
  let { parent } = row
  for (let above = 0; above < byId.size && parent !== undefined; above++) {
    if (parent === row.id) return true
    parent = byId.get(parent)?.parent
  }
  return false
}
