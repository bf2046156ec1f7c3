import {
  observeStep,
  standingFeaturesOf,
  STANDING_FEATURES,
  STEP_FEATURES,
  type SessionState,
} from '@plimsoll/engine'
import { play, type Stage } from '../scoring/play.js'
import type { BlindTrace } from '../traces/blind.js'
import { createColumnTable, type ColumnTable } from './columns.js'

/** What the scorers would see of many sessions, step by step, as the engine itself makes it. */
export interface SessionTable {
  /** What the hazard scorer sees of each proposed step: row stepAt(n) + i. */
  readonly steps: ColumnTable
  /** What the standing scorer sees as the step is let run, before its result: row stepAt(n) + i. */
  readonly arrivals: ColumnTable
  /** What it sees before the first step, row standingAt(n), and once the result of step i is in, row standingAt(n) + 1 + i. */
  readonly standings: ColumnTable
  /** Risk level × taints + taint, by row. */
  readonly arrivalPlaces: Uint8Array
  readonly standingPlaces: Uint8Array
  readonly stepAt: (n: number) => number
  readonly standingAt: (n: number) => number
  readonly stepsOf: (n: number) => number
}

const TAINT_COUNT = 3
const placeOf = ({ level, taint }: Pick<SessionState, 'level' | 'taint'>): number =>
  level * TAINT_COUNT + taint

/** Plays every session through the engine, under rules without scorers, and keeps what it saw. */
export function tabulateSessions(
  traces: readonly BlindTrace[],
  stage: Stage,
  onProgress: (share: number) => void = () => {},
): SessionTable {
  const steps = createColumnTable(STEP_FEATURES)
  const arrivals = createColumnTable(STANDING_FEATURES)
  const standings = createColumnTable(STANDING_FEATURES)
  const places = { arrivals: [] as number[], standings: [] as number[] }
  const stepAt = new Int32Array(traces.length + 1)
  const stand = (state: SessionState): void => {
    standings.add(standingFeaturesOf(state))
    places.standings.push(placeOf(state))
  }
  for (const [n, trace] of traces.entries()) {
    if (n % REPORT_EVERY === 0) onProgress(n / traces.length)
    stepAt[n + 1] = (stepAt[n] ?? 0) + trace.steps.length
    play(trace, stage, {
      started: stand,
      stepped: ({ before, proposal, after }) => {
        const { features, prospect } = observeStep(before, proposal, stage.rules)
        steps.add(features)
        arrivals.add(standingFeaturesOf({ ...prospect, steps: before.steps + 1 }))
        places.arrivals.push(placeOf(prospect))
        stand(after)
      },
    })
  }
  return {
    steps,
    arrivals,
    standings,
    arrivalPlaces: Uint8Array.from(places.arrivals),
    standingPlaces: Uint8Array.from(places.standings),
    stepAt: (n) => stepAt[n] ?? 0,
    standingAt: (n) => (stepAt[n] ?? 0) + n,
    stepsOf: (n) => (stepAt[n + 1] ?? 0) - (stepAt[n] ?? 0),
  }
}

/** Sessions between two reports of progress. */
const REPORT_EVERY = 128
