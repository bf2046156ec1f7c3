import { type SessionState, SESSION_FEATURES, STEP_FEATURES, sessionFeaturesOf } from '@plimsoll/engine'
import { type PlayedStep, type Stage, createPlayer, rememberedViews, viewsOf } from '../../corpus/play.js'
import type { BlindStep, BlindTrace } from '../../corpus/blind.js'
import { type Columns, createColumnTable } from './columns.js'
import { featuresAfterStep, placeOf } from './session-rows.js'

/** A session in an order in which those that begin alike follow each other. */
export interface Placed {
  /** Its place among the sessions. */
  readonly n: number
  /** The session before it, where that has the same task and category. */
  readonly after: number | undefined
  /** How many steps it begins with that are those of `after`, one by one the same object. */
  readonly shared: number
}

/** Sessions by task, category and steps. */
export function inPrefixOrder(traces: readonly BlindTrace[]): Placed[] {
  const numbers = new Map<BlindStep | string, number>()
  const numberOf = (one: BlindStep | string): number => {
    const known = numbers.get(one) ?? numbers.size
    numbers.set(one, known)
    return known
  }
  const keys = traces.map(({ category, task, steps }) =>
    Int32Array.from([numberOf(JSON.stringify([category, task])), ...steps.map(numberOf)]),
  )
  const order = [...keys.keys()].sort((a, b) => compare(keys[a] ?? NONE, keys[b] ?? NONE) || a - b)
  return order.map((n, at): Placed => {
    const after = order[at - 1]
    const alike = after === undefined ? 0 : alikeIn(keys[after] ?? NONE, keys[n] ?? NONE)
    return alike === 0 ? { n, after: undefined, shared: 0 } : { n, after, shared: alike - 1 }
  })
}

const NONE = new Int32Array()

function compare(a: Int32Array, b: Int32Array): number {
  const at = alikeIn(a, b)
  return (a[at] ?? -1) - (b[at] ?? -1)
}

/** How many they begin with that are the same. */
function alikeIn(a: Int32Array, b: Int32Array): number {
  let at = 0
  while (at < a.length && at < b.length && a[at] === b[at]) at++
  return at
}

/** What the scorers would see of many sessions, step by step, as the engine itself makes it. */
export interface SessionTable {
  /** What the hazard scorer sees of each proposed step: row stepAt(n) + i. */
  readonly steps: Columns
  /** What the session scorer sees as the step is let run, before its result: row stepAt(n) + i. */
  readonly arrivals: Columns
  /** What it sees before the first step, row sessionRowAt(n), and once the result of step i is in, row sessionRowAt(n) + 1 + i. */
  readonly sessionRows: Columns
  /** `placeOf`, by row. */
  readonly arrivalPlaces: ArrayLike<number>
  readonly sessionPlaces: ArrayLike<number>
  readonly stepAt: (n: number) => number
  readonly sessionRowAt: (n: number) => number
  readonly stepsOf: (n: number) => number
}

/**
 * Plays every session through the engine, under rules without scorers, and keeps what it saw. What several sessions begin with is played
 * once: the engine is a function of what came before.
 */
export function tabulateSessions(
  traces: readonly BlindTrace[],
  { rules, observer }: Stage,
  onProgress: (share: number) => void = () => {},
): SessionTable {
  const table = emptyTable(traces)
  const player = createPlayer(rules, rememberedViews(viewsOf(observer)))
  const stand = (row: number, state: SessionState): void => {
    table.sessionRows.put(row, sessionFeaturesOf(state))
    table.sessionPlaces[row] = placeOf(state)
  }
  const arrive = (row: number, played: PlayedStep): void => {
    const { step, arrival, place } = featuresAfterStep(played, rules)
    table.steps.put(row, step)
    table.arrivals.put(row, arrival)
    table.arrivalPlaces[row] = place
  }
  /** states[k]: after k steps of the session played last. */
  let states: SessionState[] = []
  for (const [done, { n, after, shared }] of inPrefixOrder(traces).entries()) {
    if (done % REPORT_EVERY === 0) onProgress(done / traces.length)
    const { steps, ...trace } = traces[n] ?? { steps: [], task: '', category: '' }
    if (after === undefined) {
      const begun = player.begin(trace)
      stand(table.sessionRowAt(n), begun)
      states = [begun]
    } else {
      repeatRows(table, after, n, shared)
      states = states.slice(0, shared + 1)
    }
    for (let i = shared; i < steps.length; i++) {
      const [before, step] = [states[i], steps[i]]
      if (!before || !step) throw new RangeError(`step ${i} of session ${n} has nothing before it`)
      const played = player.advance(before, step, i)
      arrive(table.stepAt(n) + i, played)
      stand(table.sessionRowAt(n) + 1 + i, played.after)
      states.push(played.after)
    }
  }
  return table
}

function emptyTable(traces: readonly BlindTrace[]) {
  const stepAt = new Int32Array(traces.length + 1)
  for (const [n, { steps }] of traces.entries()) stepAt[n + 1] = (stepAt[n] ?? 0) + steps.length
  const rows = stepAt.at(-1) ?? 0
  return {
    steps: createColumnTable(STEP_FEATURES),
    arrivals: createColumnTable(SESSION_FEATURES),
    sessionRows: createColumnTable(SESSION_FEATURES),
    arrivalPlaces: new Uint8Array(rows),
    sessionPlaces: new Uint8Array(rows + traces.length),
    stepAt: (n: number) => stepAt[n] ?? 0,
    sessionRowAt: (n: number) => (stepAt[n] ?? 0) + n,
    stepsOf: (n: number) => (stepAt[n + 1] ?? 0) - (stepAt[n] ?? 0),
  }
}

/** The first `steps` steps of session `to` are those of session `from`. */
function repeatRows(table: ReturnType<typeof emptyTable>, from: number, to: number, steps: number): void {
  for (let k = 0; k <= steps; k++) {
    const [source, target] = [table.sessionRowAt(from) + k, table.sessionRowAt(to) + k]
    table.sessionRows.repeat(source, target)
    table.sessionPlaces[target] = table.sessionPlaces[source] ?? 0
  }
  for (let i = 0; i < steps; i++) {
    const [source, target] = [table.stepAt(from) + i, table.stepAt(to) + i]
    table.steps.repeat(source, target)
    table.arrivals.repeat(source, target)
    table.arrivalPlaces[target] = table.arrivalPlaces[source] ?? 0
  }
}

/** Sessions between two reports of progress. */
const REPORT_EVERY = 128
