import { acrossBuckets, crossed, flowState } from '@plimsoll/engine'
import { levelOfPlace, taintOfPlace } from '../features/session-rows.js'
import type { SessionTable } from '../features/session-table.js'
import { HORIZON } from '../chain/fit.js'
import type { Tables } from '../chain/tally.js'

/** What a method says of one session: a value a step each. NaN where it says nothing. */
export interface SessionScores {
  /** P(this step is the violation), as decided at its proposal. */
  readonly p1: Float64Array
  /** P(this step or one of the next four is), as decided at its proposal. */
  readonly p5: Float64Array
  /** P(one of the next five is), once this step's result is in. */
  readonly p5After: Float64Array
}

export const emptyScores = (steps: number): SessionScores => ({
  p1: new Float64Array(steps),
  p5: new Float64Array(steps),
  p5After: new Float64Array(steps),
})

/** What the two scorers say, by rows of a table: of proposed steps, of sessions, of where steps arrive. */
export interface RowScores {
  readonly hazard: Float64Array
  readonly session: Float64Array
  readonly arrival: Float64Array
}

/** Sessions of a table as states of the space `flow`. */
export interface FlowView {
  readonly table: SessionTable
  readonly rows: RowScores
  /** Ascending probabilities that part the buckets. */
  readonly edges: readonly number[]
  /** The mean probability of each bucket that training sessions were in. */
  readonly centres: readonly number[]
}

/** State before the first step (after = 0) or once the result of step after − 1 is in. */
export function sessionStateOf({ table, rows, edges }: FlowView, n: number, after: number): number {
  const row = table.sessionRowAt(n) + after
  return stateAt(table.sessionPlaces[row] ?? 0, rows.session[row] ?? 0, edges)
}

/** State in which step i arrives, before its result. */
export function arrivalState({ table, rows, edges }: FlowView, n: number, i: number): number {
  const row = table.stepAt(n) + i
  return stateAt(table.arrivalPlaces[row] ?? 0, rows.arrival[row] ?? 0, edges)
}

function stateAt(place: number, probability: number, edges: readonly number[]): number {
  return stateOfPlace(place, crossed(probability, edges))
}

const stateOfPlace = (place: number, bucket: number): number =>
  flowState(levelOfPlace(place), taintOfPlace(place), bucket)

/** P(h | proposed) = p1 + (1 − p1) × P(h − 1 | the state the step arrives in); p5After by the state that its result leaves. */
export function scoresIn(view: FlowView, n: number, { forward }: Pick<Tables, 'forward'>): SessionScores {
  const { table, rows } = view
  const scores = emptyScores(table.stepsOf(n))
  for (const i of scores.p1.keys()) {
    const step = table.stepAt(n) + i
    const sessionRow = table.sessionRowAt(n) + i + 1
    const p1 = rows.hazard[step] ?? 0
    scores.p1[i] = p1
    scores.p5[i] = p1 + (1 - p1) * ahead(view, forward[HORIZON - 1], table.arrivalPlaces, rows.arrival, step)
    scores.p5After[i] = ahead(view, forward[HORIZON], table.sessionPlaces, rows.session, sessionRow)
  }
  return scores
}

/** As the engine reads a table of the chain. */
function ahead(
  { centres }: FlowView,
  table: readonly number[] = [],
  places: ArrayLike<number>,
  probabilities: ArrayLike<number>,
  row: number,
): number {
  return acrossBuckets(table, stateOfPlace(places[row] ?? 0, 0), probabilities[row] ?? 0, centres)
}
