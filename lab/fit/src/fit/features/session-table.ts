import { CONDUCT_FEATURES, SESSION_FEATURES, STEP_FEATURES } from '@plimsoll/engine'
import type { Stage } from '../../corpus/play.js'
import type { Recording } from '../../corpus/recording.js'
import { type Columns, createColumnTable, createGrowingInts } from './columns.js'
import { type SessionRows, createRowMaker } from './session-rows.js'

/** What the scorers would see of many sessions, step by step, as the engine itself makes it. */
export interface SessionTable {
  /** What the hazard scorer sees of each proposed step: row stepAt(n) + i. */
  readonly steps: Columns
  /** What the session scorer sees when the step may run, before its result: row stepAt(n) + i. */
  readonly arrivals: Columns
  /** What it sees before the first step, row sessionRowAt(n), and once the result of step i is in, row sessionRowAt(n) + 1 + i. */
  readonly sessionRows: Columns
  /** What the conduct scorer sees of step i: row 2 × (stepAt(n) + i) when it may run, and the row behind it once its result is in. */
  readonly conduct: Columns
  /** `placeOf`, by row. */
  readonly arrivalPlaces: ArrayLike<number>
  readonly sessionPlaces: ArrayLike<number>
  readonly stepAt: (n: number) => number
  readonly sessionRowAt: (n: number) => number
  readonly stepsOf: (n: number) => number
}

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
  const conduct = createColumnTable(CONDUCT_FEATURES)
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
      for (const [i, row] of rows.conduct.entries()) conduct.put(2 * step + i, row)
      for (const [i, place] of rows.arrivalPlaces.entries()) arrivalPlaces.set(step + i, place)
      for (const [k, place] of rows.sessionPlaces.entries()) sessionPlaces.set(first + k, place)
      ends.set(ends.length, steps.rows)
    },
    table: () => ({
      steps,
      arrivals,
      sessionRows,
      conduct,
      arrivalPlaces: arrivalPlaces.values(),
      sessionPlaces: sessionPlaces.values(),
      stepAt,
      sessionRowAt: (n) => stepAt(n) + n,
      stepsOf: (n) => stepAt(n + 1) - stepAt(n),
    }),
  }
}

/** Sessions between two reports of progress. */
const REPORT_EVERY = 128

/** Plays sessions through the engine, under rules without scorers, and keeps the rows of all. */
export function tabulateSessions(
  recordings: readonly Pick<Recording, 'blind' | 'about'>[],
  stage: Stage,
  onProgress: (share: number) => void = () => {},
): SessionTable {
  const rowsOf = createRowMaker(stage)
  const { add, table } = createGrowingTable()
  for (const [n, { blind, about }] of recordings.entries()) {
    if (n % REPORT_EVERY === 0) onProgress(n / recordings.length)
    add(rowsOf(blind, about))
  }
  return table()
}
