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
import { updateHistory } from '../state/history.js'
import type { SessionState } from '../state/session.js'
import {
  type SessionView,
  SESSION_FEATURES,
  STEP_FEATURES,
  sessionFeaturesOf,
  stepFeaturesOf,
} from './features.js'
import { acrossBuckets, crossed, scoreOf } from './scorer.js'

/** Vectors that are scored and mean nothing between two calls: to make them again takes as long as to write and score them. */
const STEP = new Float64Array(STEP_FEATURES.length)
const SESSION_BUFFER = new Float64Array(SESSION_FEATURES.length)

/** What a proposed step is judged by. */
export interface StepEvidence {
  readonly labels: StepLabels
  /** Where its fingerprints were seen before; undefined where it has none. */
  readonly matches: Matches | undefined
  readonly signals: Signals | undefined
}

/** Where a session stands after a step that was let run. */
export interface SessionAfterStep {
  readonly safety: number
  readonly level: number
  readonly taint: number
  readonly history: readonly number[]
  readonly bucket: number
}

/** Where a proposed step would take a session, and what the chain says of it. */
export interface StepRisk extends SessionAfterStep {
  readonly chain: Chain
  readonly hazard: number
  readonly probability: number
  readonly stepsToViolation: number | null
  readonly band: number
}

/**
 * Whether nothing was told so far that scorers could see, no fingerprints and no signals, and the bundle has a model for that: to the
 * other such a session looks like one in which nothing happens. Source: docs/explanation/prediction.md
 */
export const isLabelsOnly = ({ history }: Pick<SessionState, 'history'>, rules: Rules): boolean =>
  modelOf(history, rules) !== rules

/** What a session of these history is judged by. */
const modelOf = (history: readonly number[], rules: Rules): Pick<Rules, 'chain' | 'flow'> =>
  history.length === 0 ? (rules.labelsOnly ?? rules) : rules

/** What the chain, and in the space `flow` the scorers, say of a step. Without scorers O(1): four table reads. */
export function estimateStepRisk(state: SessionState, step: StepEvidence, rules: Rules): StepRisk {
  const place = viewAfterStep(state, step)
  const { safety, level, taint, history } = place
  const { flow, chain: chainOf } = modelOf(history, rules)
  const chain = chainOf(state.category)
  const sessionScore = flow ? sessionScoreOf({ ...place, steps: state.steps + 1 }, flow) : 0
  const bucket = flow ? crossed(sessionScore, flow.edges) : 0
  const index = chainIndex(chain, { safety, level, taint, bucket })
  const hazard = flow ? hazardOf(flow, state, step) : (chain.hazard[index] ?? 0)
  const probability = flow
    ? rounded(hazard + (1 - hazard) * aheadOf(chain.survived, index, sessionScore, flow))
    : (chain.probability[index] ?? 0)
  return {
    chain,
    safety,
    level,
    taint,
    history,
    bucket,
    hazard,
    probability,
    stepsToViolation: chain.stepsToViolation[index] ?? null,
    band: bandOf(probability, state.band, chain.forwardThresholds, rules.hysteresis),
  }
}

/** p1 of a step as the hazard scorer has it. */
function hazardOf(
  { hazard }: FlowRules,
  before: SessionState,
  { labels, matches, signals }: StepEvidence,
): number {
  return rounded(scoreOf(hazard, stepFeaturesOf({ before, labels, matches, signals }, STEP)))
}

/** Where a session in `state` stands once the step has run. */
export function sessionAfterStep(state: SessionState, step: StepEvidence, rules: Rules): SessionAfterStep {
  const place = viewAfterStep(state, step)
  return { ...place, bucket: bucketFor({ ...place, steps: state.steps + 1 }, rules) }
}

function viewAfterStep(
  state: SessionState,
  { labels, matches, signals }: StepEvidence,
): Omit<SessionAfterStep, 'bucket'> {
  const safety = advanceSafetyState(state.safety, labels)
  const level = Math.max(state.level, riskLevelOf(safety))
  const taint = labels.untrusted ? Math.max(state.taint, 1) : state.taint
  const isReported = matches !== undefined || signals !== undefined
  // Most sessions have none, and nothing is made for them.
  const history =
    isReported || state.history.length > 0
      ? updateHistory(state.history, { kind: 'admitted', labels, matches, signals }, isReported)
      : state.history
  return { safety, level, taint, history }
}

/** The bucket into which the session scorer puts a session; 0 where there is none. */
export function bucketFor(features: SessionView, rules: Rules): number {
  const { flow } = modelOf(features.history, rules)
  return flow ? crossed(sessionScoreOf(features, flow), flow.edges) : 0
}

/** What the session scorer says of where a session stands. */
const sessionScoreOf = (features: SessionView, flow: FlowRules): number =>
  scoreOf(flow.session, sessionFeaturesOf(features, SESSION_BUFFER))

/** P(violated within the rules' horizon) of a session that proposes nothing at present: by the state that its last event left. */
export function estimateSessionRisk(state: SessionState, rules: Rules): number {
  const { flow, chain: chainOf } = modelOf(state.history, rules)
  const chain = chainOf(state.category)
  const index = chainIndex(chain, state)
  return flow ? aheadOf(chain.ahead, index, sessionScoreOf(state, flow), flow) : (chain.ahead[index] ?? 0)
}

/** What a table of the chain says of the state `index` of its space `flow`; between the centres of two buckets in proportion. */
function aheadOf(table: Float64Array, index: number, sessionScore: number, { centres }: FlowRules): number {
  if (centres.length === 0) return table[index] ?? 0
  return acrossBuckets(table, index - flowBucketOf(index), sessionScore, centres)
}

/** The state of the chain's own space that a session is in. */
export function chainIndex(
  { space }: Chain,
  { safety, level, taint, bucket }: Pick<SessionState, 'safety' | 'level' | 'taint' | 'bucket'>,
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

/** The risk block of a decision: the prospect in words, the counters of `state`. */
export function riskOf(state: SessionState, prospect: StepRisk, rules: Rules): Risk {
  return {
    category: prospect.chain.name,
    exposure: nameOf<Exposure>(EXPOSURES, exposureOf(prospect.safety)),
    escalation: nameOf<Escalation>(ESCALATIONS, escalationOf(prospect.safety)),
    reversibility: nameOf<Reversibility>(REVERSIBILITIES, reversibilityOf(prospect.safety)),
    level: nameOf<Level>(LEVELS, prospect.level),
    taint: nameOf<Taint>(TAINTS, prospect.taint),
    hazard: prospect.hazard,
    horizon: rules.horizon,
    probability: prospect.probability,
    stepsToViolation: prospect.stepsToViolation,
    band: prospect.band,
    violations: state.violations,
    withoutVerdict: state.withoutVerdict,
    blocked: state.blocked,
    ...(isLabelsOnly(prospect, rules) && { basis: 'labels' as const }),
  }
}

/** Where the distinctive values of a step come from, as a decision tells it. */
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

/** Six digits: more would be noise, and every decision carries it. */
const rounded = (value: number): number => Number(value.toPrecision(6))
