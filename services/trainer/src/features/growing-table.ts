import { SESSION_FEATURES, STEP_FEATURES } from '@plimsoll/engine'
import { createColumnTable } from './columns.js'
import { createGrowingInts } from './growing-ints.js'
import type { SessionRows } from './session-rows.js'
import type { SessionTable } from './session-table.js'

/** A table that sessions are added to: the first is session 0. */
export interface GrowingTable {
  add(rows: SessionRows): void
  /** What was added so far. */
  table(): SessionTable
}

export function createGrowingTable(): GrowingTable {
  const steps = createColumnTable(STEP_FEATURES)
  const arrivals = createColumnTable(SESSION_FEATURES)
  const sessionRows = createColumnTable(SESSION_FEATURES)
  const arrivalPlaces = createGrowingInts()
  const sessionPlaces = createGrowingInts()
  const ends = createGrowingInts()
  const stepAt = (n: number): number => (n === 0 ? 0 : ends.at(n - 1))
  return {
    add: (rows) => {
      const [step, first] = [steps.rows, sessionRows.rows]
      for (const [i, row] of rows.steps.entries()) steps.put(step + i, row)
      for (const [i, row] of rows.arrivals.entries()) arrivals.put(step + i, row)
      for (const [k, row] of rows.sessionRows.entries()) sessionRows.put(first + k, row)
      for (const [i, place] of rows.arrivalPlaces.entries()) arrivalPlaces.set(step + i, place)
      for (const [k, place] of rows.sessionPlaces.entries()) sessionPlaces.set(first + k, place)
      ends.set(ends.length, steps.rows)
    },
    table: () => ({
      steps,
      arrivals,
      sessionRows,
      arrivalPlaces: arrivalPlaces.values(),
      sessionPlaces: sessionPlaces.values(),
      stepAt,
      sessionRowAt: (n) => stepAt(n) + n,
      stepsOf: (n) => stepAt(n + 1) - stepAt(n),
    }),
  }
}
