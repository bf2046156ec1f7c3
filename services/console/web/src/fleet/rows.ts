import type { Verdict } from '@plimsoll/contracts'
import type { SessionRow } from '../../../src/api.js'
import type { FleetFilter } from '../api/requests.js'
import { LEVELS } from '../text/words.js'

/** Rows that the page holds; beyond it the ended ones go first, then the least at risk. */
export const HELD_MAX = 12_000

export interface RowFilter extends FleetFilter {
  /** Sessions that had this verdict on a step. */
  readonly verdict?: Verdict
  /** Ended sessions too. */
  readonly ended: boolean
}

export const isShown = (row: SessionRow, filter: RowFilter): boolean =>
  (filter.ended || !row.ended) &&
  (filter.tenant === undefined || row.tenant === filter.tenant) &&
  (filter.category === undefined || row.category === filter.category) &&
  (filter.agent === undefined || row.agent === filter.agent) &&
  (filter.level === undefined || row.level === filter.level) &&
  (filter.verdict === undefined || row.verdicts[filter.verdict] > 0)

const levelRank = ({ level }: SessionRow): number => (level === undefined ? -1 : LEVELS.indexOf(level))

/** As the console ranks: live ones first; then by open question, violations, level, band and P(h); the id decides the rest. */
export function compareRisk(a: SessionRow, b: SessionRow): number {
  return (
    Number(a.ended) - Number(b.ended) ||
    Math.min(1, b.openQuestions) - Math.min(1, a.openQuestions) ||
    b.violations - a.violations ||
    levelRank(b) - levelRank(a) ||
    b.band - a.band ||
    (b.probability ?? 0) - (a.probability ?? 0) ||
    (a.id < b.id ? -1 : 1)
  )
}

/** `held` with the later rows of `batch`; at most `HELD_MAX` of them. */
export function withBatch(
  held: ReadonlyMap<string, SessionRow>,
  batch: ReadonlyMap<string, SessionRow>,
): ReadonlyMap<string, SessionRow> {
  const rows = new Map(held)
  for (const [id, row] of batch) rows.set(id, row)
  if (rows.size <= HELD_MAX) return rows
  return new Map(
    [...rows.values()]
      .sort(compareRisk)
      .slice(0, HELD_MAX)
      .map((row) => [row.id, row]),
  )
}
