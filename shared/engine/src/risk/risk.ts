import type {
  Escalation,
  Exposure,
  Level,
  Provenance,
  Reversibility,
  Risk,
  Signals,
  Taint,
} from '@plimsoll/contracts'
import { flowBucketOf, flowState } from '../labels/flow-state.js'
import {
  type StepLabels,
  advanceSafetyState,
  escalationOf,
  exposureOf,
  reversibilityOf,
  riskLevelOf,
} from '../labels/safety-state.js'
import { ESCALATIONS, EXPOSURES, LEVELS, REVERSIBILITIES, TAINTS } from '../labels/words.js'
import { type Matches, distinctiveShare } from '../provenance/matches.js'
import type { Chain, FlowRules, Rules } from '../rules.js'
import { CONDUCT_FEATURES, conductAfterStep, conductFeaturesOf } from '../state/conduct.js'
import { updateHistory } from '../state/history.js'
import type { SessionState } from '../state/session.js'
import {
  type SessionView,
  SESSION_FEATURES,
  STEP_FEATURES,
  sessionFeaturesOf,
  stepFeaturesOf,
} from './features.js'
import { rounded } from './rounding.js'
import { acrossBuckets, crossed, scoreOf } from './scorer.js'

/** Scratch vectors without meaning between two calls: allocating them costs as much as writing and scoring them. */
const STEP = new Float64Array(STEP_FEATURES.length)
const SESSION_BUFFER = new Float64Array(SESSION_FEATURES.length)
const CONDUCT = new Float64Array(CONDUCT_FEATURES.length)

/** The labels and evidence of a proposed step. */
export interface StepEvidence {
  readonly labels: StepLabels
  /** Where its fingerprints were seen before; undefined if it has none. */
  readonly matches: Matches | undefined
  readonly signals: Signals | undefined
}

/** The session after an admitted step. */
export interface SessionAfterStep {
  readonly safety: number
  readonly level: number
  readonly taint: number
  readonly history: readonly number[]
  readonly conduct: readonly number[]
  readonly bucket: number
}

/** The session after a proposed step, and its risk by the chain. */
export interface StepRisk extends SessionAfterStep {
  readonly chain: Chain
  readonly hazard: number
  readonly probability: number
  readonly stepsToViolation: number | null
  /** See `noReturn` of a chain. */
  readonly noReturn: number
  readonly band: number
}

/**
 * Whether nothing was reported so far that scorers could use (no fingerprints and no signals) and the bundle has a labels-only model. To
 * the other model such a session looks like one in which nothing happens. Source: docs/explanation/prediction.md
 */
export const isLabelsOnly = ({ history }: Pick<SessionState, 'history'>, rules: Rules): boolean =>
  modelOf(history, rules) !== rules

/** The model for a session with this history. */
const modelOf = (history: readonly number[], rules: Rules): Pick<Rules, 'chain' | 'flow'> =>
  history.length === 0 ? (rules.labelsOnly ?? rules) : rules

/**
 * The risk of a step by the chain, and in the space `flow` by the scorers; of what the chain and the scorer of conduct say of the steps
 * ahead, the higher. Without scorers O(1): five table reads.
 */
export function estimateStepRisk(state: SessionState, step: StepEvidence, rules: Rules): StepRisk {
  const after = viewAfterStep(state, step)
  const { flow, chain: chainOf } = modelOf(after.history, rules)
  const chain = chainOf(state.category)
  return flow
    ? riskByScorers(state, step, after, chain, flow, rules)
    : riskByTables(state, after, chain, rules)
}

function riskByScorers(
  state: SessionState,
  step: StepEvidence,
  after: SessionView,
  chain: Chain,
  flow: FlowRules,
  rules: Rules,
): StepRisk {
  const own = conductRiskOf(after.conduct, flow)
  const sessionScore = sessionScoreOf(after, own, flow)
  const bucket = crossed(sessionScore, flow.edges)
  const index = placeIn(chain, after, bucket)
  const hazard = hazardOf(flow, state, step, own)
  const ahead = hazard + (1 - hazard) * aheadOf(chain.survived, index, sessionScore, flow)
  const probability = rounded(Math.max(ahead, within(own, rules.horizon, flow)))
  return stepRiskOf(state, after, bucket, chain, index, hazard, probability, rules)
}

function riskByTables(state: SessionState, after: SessionView, chain: Chain, rules: Rules): StepRisk {
  const index = placeIn(chain, after, 0)
  const hazard = chain.hazard[index] ?? 0
  return stepRiskOf(state, after, 0, chain, index, hazard, chain.probability[index] ?? 0, rules)
}

/** One literal for all: a step's risk always has the same shape. */
function stepRiskOf(
  state: SessionState,
  { safety, level, taint, history, conduct }: SessionView,
  bucket: number,
  chain: Chain,
  index: number,
  hazard: number,
  probability: number,
  rules: Rules,
): StepRisk {
  return {
    chain,
    safety,
    level,
    taint,
    history,
    conduct,
    bucket,
    hazard,
    probability,
    stepsToViolation: chain.stepsToViolation[index] ?? null,
    noReturn: chain.noReturn[index] ?? 0,
    band: bandOf(probability, state.band, chain.forwardThresholds, rules.hysteresis),
  }
}

/** p1 of a step: by the hazard scorer, or by the session's own conduct once the step has run. */
function hazardOf(
  flow: FlowRules,
  before: SessionState,
  { labels, matches, signals }: StepEvidence,
  own: number,
): number {
  const byOthers = scoreOf(flow.hazard, stepFeaturesOf({ before, labels, matches, signals }, STEP))
  return rounded(eitherCause(byOthers, within(own, 1, flow)))
}

/** The session after the step has run. */
export function sessionAfterStep(state: SessionState, step: StepEvidence, rules: Rules): SessionAfterStep {
  const after = viewAfterStep(state, step)
  const { safety, level, taint, history, conduct } = after
  return { safety, level, taint, history, conduct, bucket: bucketFor(after, rules) }
}

function viewAfterStep(state: SessionState, { labels, matches, signals }: StepEvidence): SessionView {
  const safety = advanceSafetyState(state.safety, labels)
  const isReported = matches !== undefined || signals !== undefined
  // Most sessions have no history; they allocate nothing.
  const history =
    isReported || state.history.length > 0
      ? updateHistory(state.history, { kind: 'admitted', labels, matches, signals }, isReported)
      : state.history
  return {
    safety,
    level: Math.max(state.level, riskLevelOf(safety)),
    taint: labels.untrusted ? Math.max(state.taint, 1) : state.taint,
    steps: state.steps + 1,
    history,
    conduct: conductAfterStep(state.conduct, signals),
  }
}

/** The session scorer's bucket for a session; 0 without a scorer. */
export function bucketFor(features: SessionView, rules: Rules): number {
  const { flow } = modelOf(features.history, rules)
  return flow ? crossed(sessionScoreOf(features, conductRiskOf(features.conduct, flow), flow), flow.edges) : 0
}

/** The probability of a session: by the session scorer, or by its own conduct within the scorer's five steps. */
const sessionScoreOf = (features: SessionView, own: number, flow: FlowRules): number =>
  eitherCause(
    scoreOf(flow.session, sessionFeaturesOf(features, SESSION_BUFFER)),
    within(own, SCORER_STEPS, flow),
  )

/** Steps that the session scorer looks ahead. */
const SCORER_STEPS = 5

/** Of two independent causes at least one. */
export const eitherCause = (a: number, b: number): number => (b === 0 ? a : 1 - (1 - a) * (1 - b))

/** The probability that the session goes wrong by its own conduct; 0 without a report or a scorer. */
function conductRiskOf(conduct: readonly number[], { conduct: model }: FlowRules): number {
  if (!model || conduct.length === 0) return 0
  if (latest.conduct === conduct && latest.model === model) return latest.risk
  const risk = scoreOf(model.scorer, conductFeaturesOf(conduct, CONDUCT))
  latest = { conduct, model, risk }
  return risk
}

/** What was worked out last: a result without a text leaves the record of conduct as it is. */
let latest: { conduct: readonly number[]; model: FlowRules['conduct']; risk: number } = {
  conduct: [],
  model: undefined,
  risk: 0,
}

/** The part of `risk` within `steps` steps, where it is spread over `spread` steps: the mean number of those of violated sessions. */
export const riskWithin = (risk: number, steps: number, spread: number): number =>
  1 - (1 - risk) ** Math.min(1, steps / spread)

const within = (risk: number, steps: number, { conduct }: FlowRules): number =>
  risk === 0 || !conduct ? 0 : riskWithin(risk, steps, conduct.steps)

/** P(violated within the rules' horizon) of a session without a proposed step, by the state after its last event. */
export function estimateSessionRisk(state: SessionState, rules: Rules): number {
  const { flow, chain: chainOf } = modelOf(state.history, rules)
  const chain = chainOf(state.category)
  const index = chainIndex(chain, state)
  if (!flow) return chain.ahead[index] ?? 0
  const own = conductRiskOf(state.conduct, flow)
  const ahead = aheadOf(chain.ahead, index, sessionScoreOf(state, own, flow), flow)
  return Math.max(ahead, within(own, rules.horizon, flow))
}

/** The table's value at state `index` of the space `flow`, interpolated between the centres of two buckets. */
function aheadOf(table: Float64Array, index: number, sessionScore: number, { centres }: FlowRules): number {
  if (centres.length === 0) return table[index] ?? 0
  return acrossBuckets(table, index - flowBucketOf(index), sessionScore, centres)
}

/** The index of a session's state in the chain's space. */
export const chainIndex = (
  chain: Chain,
  state: Pick<SessionState, 'safety' | 'level' | 'taint' | 'bucket'>,
): number => placeIn(chain, state, state.bucket)

function placeIn(
  { space }: Chain,
  { safety, level, taint }: Pick<SessionState, 'safety' | 'level' | 'taint'>,
  bucket: number,
): number {
  if (space === 'flow') return flowState(level, taint, bucket)
  return space === 'paper60' ? safety : level
}

/** The band 0…3 of `probability`: entered at its threshold, left only `hysteresis` below it. */
export function bandOf(
  probability: number,
  previous: number,
  thresholds: Float64Array,
  hysteresis: number,
): number {
  const reached = crossed(probability, thresholds)
  let band = previous
  while (band > reached && probability < (thresholds[band - 1] ?? 0) - hysteresis) band--
  return Math.max(band, reached)
}

/** The risk block of a decision: the step's risk with names for its indices, and the counters of `state`. */
export function riskOf(state: SessionState, stepRisk: StepRisk, rules: Rules): Risk {
  const risk: Risk = {
    category: stepRisk.chain.name,
    exposure: nameOf<Exposure>(EXPOSURES, exposureOf(stepRisk.safety)),
    escalation: nameOf<Escalation>(ESCALATIONS, escalationOf(stepRisk.safety)),
    reversibility: nameOf<Reversibility>(REVERSIBILITIES, reversibilityOf(stepRisk.safety)),
    level: nameOf<Level>(LEVELS, stepRisk.level),
    taint: nameOf<Taint>(TAINTS, stepRisk.taint),
    hazard: stepRisk.hazard,
    horizon: rules.horizon,
    probability: stepRisk.probability,
    stepsToViolation: stepRisk.stepsToViolation,
    band: stepRisk.band,
    violations: state.violations,
    withoutVerdict: state.withoutVerdict,
    blocked: state.blocked,
  }
  if (isLabelsOnly(stepRisk, rules)) risk.basis = 'labels'
  return stepRisk.noReturn > 0 ? withNoReturn(risk, stepRisk.noReturn) : risk
}

/** Its place, before `band`, is part of the decision's bytes. */
function withNoReturn(risk: Risk, pointOfNoReturn: number): Risk {
  const { band, violations, withoutVerdict, blocked, basis, ...rest } = risk
  const after = { band, violations, withoutVerdict, blocked }
  return basis ? { ...rest, pointOfNoReturn, ...after, basis } : { ...rest, pointOfNoReturn, ...after }
}

/** Where the distinctive values of a step come from, for a decision. */
export function provenanceOf(matches: Matches): Provenance {
  return {
    values: distinctiveShare(matches, 'total'),
    task: distinctiveShare(matches, 'task'),
    trusted: distinctiveShare(matches, 'trusted'),
    untrusted: distinctiveShare(matches, 'untrustedOnly'),
    instructions: distinctiveShare(matches, 'instructedOnly'),
    sensitive: distinctiveShare(matches, 'sensitive'),
    nowhere: distinctiveShare(matches, 'nowhere'),
  }
}

function nameOf<T extends string>(names: readonly [T, ...T[]], index: number): T {
  return names[index] ?? names[0]
}
