import { type TreeOptions, bucketCentres, bucketEdges } from '@plimsoll/chains'
import { type Flow, FLOW_BUCKETS, PlimsollError } from '@plimsoll/contracts'
import { eitherCause, riskWithin } from '@plimsoll/engine'
import type { Columns } from '../features/columns.js'
import type { SessionTable } from '../features/session-table.js'
import { rounded } from '../chain/tally.js'
import {
  type FlowChains,
  type FlowView,
  type RowScores,
  type SessionScores,
  fitFlowChains,
  scoresIn,
} from './flow-scores.js'
import {
  type FittedScorer,
  type ScorerInputs,
  type ScorerRows,
  HAZARD_INPUTS,
  SESSION_INPUTS,
  fitScorer,
} from './scorer-fit.js'
import {
  type FittedConduct,
  CONDUCT_OPTIONS,
  everyConductRow,
  fitConduct,
  withoutUnreported,
} from '../conduct/conduct-scorer.js'
import { HORIZON } from '../chain/fit.js'
import { type TrainingSession, arrivalRows, hazardRows, sessionRows } from './training.js'

/** How the two scorers are grown. */
export interface FlowOptions {
  readonly hazard: TreeOptions
  readonly session: TreeOptions
  /** That of conduct; none is fitted where it is left out. */
  readonly conduct?: TreeOptions
  /** What the hazard scorer looks at; `HAZARD_INPUTS` where it is left out. */
  readonly hazardInputs?: ScorerInputs
}

const GROWING = { lambda: 5, bins: 32, subsample: 0.7, seed: 7 }
export const FLOW_OPTIONS: FlowOptions = {
  // Fewer and shallower trees that go further each say the same in a third of the questions.
  hazard: { ...GROWING, learningRate: 0.2, trees: 60, depth: 3, minLeaf: 30 },
  session: { ...GROWING, learningRate: 0.12, trees: 100, depth: 3, minLeaf: 60, featureShare: 0.3 },
  conduct: CONDUCT_OPTIONS,
}

/** A fitted model of the space `flow`. */
export interface FlowModel {
  readonly flow: Flow
  readonly chains: FlowChains
  /** Any session of the table as states, and those that it was fitted to as inner models see them. */
  readonly view: FlowView
  readonly trained: FlowView
  /** Scores of any session of the table. */
  readonly score: (n: number, category: string) => SessionScores
  /** Scores of a session that it was fitted to, by inner models that were not. */
  readonly scoreTraining: (n: number, category: string) => SessionScores
}

/** Both scorers, and where the probability of a session falls into the next bucket. */
export interface FlowScorers {
  readonly flow: Flow
  readonly hazard: FittedScorer
  readonly session: FittedScorer
  readonly conduct: FittedConduct | undefined
}

/**
 * Fits scorers, buckets and chains to some sessions of a table. What later models build on what earlier ones say (buckets, chains,
 * thresholds) is taken from inner models that have not seen the session's attack: in-sample it would look better than it is.
 */
export function fitFlow(
  table: SessionTable,
  sessions: readonly TrainingSession[],
  options: FlowOptions = FLOW_OPTIONS,
): FlowModel {
  const scorers = fitFlowScorers(table, sessions, options)
  const trained = viewedApart(scorers, table, sessions)
  const view = viewed(scorers, table)
  const chains = fitFlowChains(trained, sessions)
  return {
    flow: scorers.flow,
    chains,
    view,
    trained,
    score: (n, category) => scoresIn(view, n, chains.of(category)),
    scoreTraining: (n, category) => scoresIn(trained, n, chains.of(category)),
  }
}

/** @throws PlimsollError `traces_invalid` where no session says at which step it was violated, or that no step was */
export function fitFlowScorers(
  table: SessionTable,
  sessions: readonly TrainingSession[],
  options: FlowOptions = FLOW_OPTIONS,
): FlowScorers {
  const stepwise = sessions.filter(({ isWhole }) => !isWhole)
  if (stepwise.length === 0)
    throw new PlimsollError(
      'traces_invalid',
      'these recordings name no violating step, so no scorer can be fitted to them: add some that do, or measure a bundle (`--model`)',
    )
  const training = sessionRows(table, stepwise)
  const hazard = fitScorer(
    table.steps,
    options.hazardInputs ?? HAZARD_INPUTS,
    hazardRows(table, stepwise),
    options.hazard,
  )
  const session = fitScorer(table.sessionRows, SESSION_INPUTS, training, options.session)
  const conduct = options.conduct && fitConduct(table, sessions, options.conduct)
  const edges = bucketEdges(session.outOfFold, training.labels, FLOW_BUCKETS, training.weights)
  const centres = bucketCentres(session.outOfFold, edges, training.weights).map(rounded)
  return {
    flow: {
      hazard: hazard.scorer,
      session: session.scorer,
      ...(conduct && { conduct: conduct.conduct }),
      edges: edges.map(rounded),
      centres,
    },
    hazard,
    session,
    conduct,
  }
}

/** Every session of a table, as the scorers that ship see it. */
function viewed({ flow, hazard, session, conduct }: FlowScorers, table: SessionTable): FlowView {
  const rows = {
    hazard: hazard.predict(table.steps),
    session: session.predict(table.sessionRows),
    arrival: session.predict(table.arrivals),
  }
  const risks = conduct?.fitted.predict(table.conduct)
  return {
    table,
    edges: flow.edges,
    centres: flow.centres ?? [],
    rows: withConduct(rows, risks, flow, table),
  }
}

/** Some sessions of a table, each as inner models see it that have not seen its inner fold; they need not have been fitted to. */
export function viewedApart(
  { flow, hazard, session, conduct }: FlowScorers,
  table: SessionTable,
  sessions: readonly TrainingSession[],
): FlowView {
  const apart = (
    scorer: FittedScorer,
    columns: Columns,
    { rows, groups }: Pick<ScorerRows, 'rows' | 'groups'>,
  ) => spread(scorer.predictApart(columns, rows, groups), rows, columns.rows)
  const rows = {
    hazard: apart(hazard, table.steps, hazardRows(table, sessions)),
    session: apart(session, table.sessionRows, sessionRows(table, sessions)),
    arrival: apart(session, table.arrivals, arrivalRows(table, sessions)),
  }
  const risks = conduct && apart(conduct.fitted, table.conduct, everyConductRow(table, sessions))
  return {
    table,
    edges: flow.edges,
    centres: flow.centres ?? [],
    rows: withConduct(rows, risks, flow, table),
  }
}

/** Either cause, as the engine combines them: of a step itself, of what lies ahead of it, and of what lies ahead of a session. */
function withConduct(
  { hazard, session, arrival }: Omit<RowScores, 'conduct'>,
  given: Float64Array | undefined,
  { conduct }: Flow,
  table: SessionTable,
): RowScores {
  if (!given || !conduct) return { hazard, session, arrival, conduct: new Float64Array(0) }
  const risks = withoutUnreported(table.conduct, given)
  const within = (steps: number, risk = 0): number => riskWithin(risk, steps, conduct.steps)
  const states = Float64Array.from(session)
  for (let n = 0, at = 0; at < states.length; n++) {
    const first = table.stepAt(n)
    const steps = table.stepsOf(n)
    for (let i = 0; i < steps; i++)
      states[at + i + 1] = eitherCause(states[at + i + 1] ?? 0, within(HORIZON, risks[2 * (first + i) + 1]))
    at += steps + 1
  }
  return {
    hazard: hazard.map((own, step) => eitherCause(own, within(1, risks[2 * step]))),
    session: states,
    arrival: arrival.map((own, step) => eitherCause(own, within(HORIZON, risks[2 * step]))),
    conduct: risks.map((risk) => within(HORIZON, risk)),
  }
}

/** Values of some rows at the places of those rows; 0 elsewhere. */
function spread(values: Float64Array, rows: Int32Array, length: number): Float64Array {
  const all = new Float64Array(length)
  for (const [at, row] of rows.entries()) all[row] = values[at] ?? 0
  return all
}
