import { TAINTS } from '@plimsoll/contracts'
import {
  type Rules,
  type SessionState,
  conductFeaturesOf,
  observeStep,
  sessionFeaturesOf,
} from '@plimsoll/engine'
import type { Observer } from '@plimsoll/labels'
import {
  type PlayedStep,
  type Player,
  type Stage,
  createPlayer,
  rememberedViews,
  viewsOf,
} from '../../corpus/play.js'
import type { About } from '../../corpus/recording.js'
import type { BlindTrace } from '../../corpus/blind.js'

/** What the scorers would see of one session, step by step, as the engine itself makes it. */
export interface SessionRows {
  /** What the hazard scorer sees of each proposed step, in the order of STEP_FEATURES. */
  readonly steps: readonly Float64Array[]
  /** What the session scorer sees when the step may run, before its result, in the order of SESSION_FEATURES. */
  readonly arrivals: readonly Float64Array[]
  /** What it sees before the first step, and once the result of each is in: one more than there are steps. */
  readonly sessionRows: readonly Float64Array[]
  /** What the conduct scorer sees of each step: when it may run, then once its result is in. Two rows a step, in the order of CONDUCT_FEATURES. */
  readonly conduct: readonly Float64Array[]
  /** Risk level × taints + taint of each arrival and of each session state. */
  readonly arrivalPlaces: readonly number[]
  readonly sessionPlaces: readonly number[]
}

/** Risk level × taints + taint. */
export const placeOf = ({ level, taint }: Pick<SessionState, 'level' | 'taint'>): number =>
  level * TAINTS.length + taint

export const levelOfPlace = (place: number): number => Math.floor(place / TAINTS.length)
export const taintOfPlace = (place: number): number => place % TAINTS.length

/** A listener that gathers the rows of one session as its steps are played. */
export interface RowListener {
  readonly rows: SessionRows
  started(state: SessionState): void
  stepped(step: Pick<PlayedStep, 'before' | 'proposal' | 'after'>): void
}

/** @param rules rules without scorers: the rows are what scorers are fitted to */
export function createRowListener(rules: Rules): RowListener {
  const rows = {
    steps: [] as Float64Array[],
    arrivals: [] as Float64Array[],
    sessionRows: [] as Float64Array[],
    conduct: [] as Float64Array[],
    arrivalPlaces: [] as number[],
    sessionPlaces: [] as number[],
  }
  const keepState = (state: SessionState): void => {
    rows.sessionRows.push(sessionFeaturesOf(state))
    rows.sessionPlaces.push(placeOf(state))
  }
  return {
    rows,
    started: keepState,
    stepped: (played) => {
      const { step, arrival, place, conduct } = featuresAfterStep(played, rules)
      rows.steps.push(step)
      rows.arrivals.push(arrival)
      rows.arrivalPlaces.push(place)
      rows.conduct.push(conduct, conductFeaturesOf(played.after.conduct))
      keepState(played.after)
    },
  }
}

/** What the scorers see of a proposed step, and of where it arrives. */
export function featuresAfterStep(
  { before, proposal }: Pick<PlayedStep, 'before' | 'proposal'>,
  rules: Rules,
) {
  const { features, stepRisk } = observeStep(before, proposal, rules)
  const arrival = sessionFeaturesOf({ ...stepRisk, steps: before.steps + 1 })
  return { step: features, arrival, place: placeOf(stepRisk), conduct: conductFeaturesOf(stepRisk.conduct) }
}

/**
 * Plays sessions through the engine, one by one, and gives what it saw of each. What a client would report of a step is computed
 * once for steps that are the same object: see `createRecentSteps`.
 */
export function createRowMaker({
  rules,
  observer,
  observerFor,
}: Stage): (trace: BlindTrace, about?: About) => SessionRows {
  const players = new Map<Observer, Player>()
  const playerOf = (own: Observer): Player => {
    const player = players.get(own) ?? createPlayer(rules, rememberedViews(viewsOf(own)))
    players.set(own, player)
    return player
  }
  return (trace, about) => {
    const listener = createRowListener(rules)
    playerOf((about && observerFor?.(about)) ?? observer)(trace, listener)
    return listener.rows
  }
}
