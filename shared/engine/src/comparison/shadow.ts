import type { EventOf, Reason, Verdict } from '@plimsoll/contracts'
import { type StepReport, contextOf, reportOfProposal } from '../events/proposed.js'
import { type Facts, type Rules, NO_FACTS } from '../rules.js'
import type { SessionState } from '../state/session.js'
import { recordReportedRuns } from '../step.js'
import { judge, verdictOf } from '../verdict/judge.js'
import { type CandidateMemory, adopt } from './candidate-memory.js'

/** What some rules make of a proposed step, whatever was asked about in the session before. */
export interface ShadowJudgement {
  readonly verdict: Verdict
  /** The category whose chain was read, or `aggregate`. */
  readonly category: string
  readonly hazard: number
  readonly probability: number
  /** 0…3: how many forward thresholds `probability` has reached. */
  readonly band: number
  /** What speaks on the step, in the order of the sources. */
  readonly reasons: readonly Reason[]
}

/** What the rules of a session and those of a candidate make of the same step. */
export interface Shadow {
  readonly active: ShadowJudgement
  readonly candidate: ShadowJudgement
}

/**
 * Judges `proposal` by the rules that its session is pinned to and by a candidate's, side by side. Pure, and of no effect. The session's
 * safety state, level, taint and history are those that its own rules have come to, and where the step arrives is computed from them. What a
 * session remembers of its own bundle alone, the band that was asked about, counts for neither side: each speaks as if this were the first
 * step to reach its band. Stops and modes count for neither. A fleet-wide limit of which nothing was read says nothing: nobody counts for a
 * policy that is tried.
 *
 * @param state the session before the proposal
 * @param candidate other rules: by another bundle, policy, catalogue, or several
 * @param at append time of the proposal, and what the session's own rules were told of the fleet
 * @param followed what the candidate's specs remember of the session; left out where they remember what the session's own do
 */
export function shadowOf(
  state: SessionState,
  proposal: EventOf<'step.proposed'>,
  active: Rules,
  candidate: Rules,
  at: ShadowMoment,
  followed?: CandidateMemory,
): Shadow {
  const own = foundBy(state, proposal, active)
  // Labels and provenance are of policy, catalogue and session.
  const isLabelledAlike =
    active.versions.policy === candidate.versions.policy &&
    active.versions.catalogue === candidate.versions.catalogue
  const isAlike = isLabelledAlike && !followed
  const other = isAlike ? own : foundBy(followed ? adopt(state, followed) : state, proposal, candidate)
  return { active: judgedBy(active, own, at), candidate: judgedBy(candidate, other, at) }
}

/** When a step is judged. */
export interface ShadowMoment {
  /** Milliseconds since 1970. */
  readonly timeMs: number
  readonly readings: Facts['readings']
}

interface Found {
  readonly unasked: SessionState
  readonly reported: StepReport
}

/** The session as the proposal finds it, and what the proposal tells there. */
function foundBy(state: SessionState, proposal: EventOf<'step.proposed'>, rules: Rules): Found {
  const admitted = recordReportedRuns(state, proposal, rules, state.time)
  const unasked = admitted.band === 0 ? admitted : { ...admitted, band: 0 }
  return { unasked, reported: reportOfProposal(unasked, proposal, rules) }
}

function judgedBy(
  rules: Rules,
  { unasked, reported }: Found,
  { timeMs, readings }: ShadowMoment,
): ShadowJudgement {
  const time = Math.max(timeMs, unasked.time)
  const facts: Facts = { ...NO_FACTS, readings: { ...unread(rules, reported.tool), ...readings } }
  const context = contextOf(unasked, { rules, facts, time }, reported)
  const { chain, hazard, probability, band } = context.stepRisk
  const reasons = judge(context)
  return { verdict: verdictOf(reasons), category: chain.name, hazard, probability, band, reasons }
}

/** Readings by which no fleet-wide limit is reached. */
function unread(rules: Rules, tool: string): Facts['readings'] {
  const { blocklist, confirmation } = rules.tool(tool)
  const fleets = [...blocklist, ...confirmation].flatMap(({ fleet }) => (fleet ? [[fleet.reading, -1]] : []))
  return fleets.length === 0 ? undefined : Object.fromEntries(fleets)
}
